"""`whodunit bench server`: how much the server carries, what it costs, what it survives, and what it tells."""
