"""Readers: one file a format family; everything becomes the same stream of puzzles."""
