"""FEED AND GATHER: the person's side. Reads puzzles, cuts them into chunks, gathers the results into files."""
