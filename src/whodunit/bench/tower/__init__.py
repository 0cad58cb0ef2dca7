"""`whodunit bench tower`: how the tower behaves, and what it costs."""
