"""`whodunit bench deduction`: how quick the exact inference is."""
