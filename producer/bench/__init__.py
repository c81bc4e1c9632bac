"""Measurements: kernels and solvers without the way there and back."""
