"""Readable solvers, one idea a file: the measure of what the native kernels answer and of how fast they are.

naive       backtracking in reading order, 27 comparisons a check
cached      the same search, with tables of what is used in each row, column and box
bitmask     tables of bits, and the cell with the fewest candidates first
propagation constraint propagation, then search
dlx         exact cover with dancing links
queens      the N-Queens counterpart: three masks, one bit a column or diagonal

A Sudoku solver here is one function, `solutions(cells, effort)`: it yields every solution of a puzzle whose givens do
not clash, and tells `effort` of each choice. `search` makes a batch solver of it.
"""
