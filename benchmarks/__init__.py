"""The pipeline against peers that drive the same kernel; see README.md beside this file."""
