"""Solve Sudoku puzzles and count N-Queens boards; this package knows no queue, no file and no command line."""
