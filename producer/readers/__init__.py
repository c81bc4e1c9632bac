"""Readers: one file a format family; everything becomes the same stream of rows.

A source is opened (`sources.py`), unpacked (`packed.py`), brought to UTF-8 (`encoding.py`), and its form told by its
content (`detect.py`). One puzzle a line and tables are read by native code (`tables.py` finds the columns); the other
forms, one file each, push rows into a `Sink` (`sink.py`). `feed.py` does all this in a thread, `cutter.py` cuts.
"""
