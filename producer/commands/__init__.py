"""The commands of `gridmill`, one noun a file; `producer/cli.py` loads them by name."""
