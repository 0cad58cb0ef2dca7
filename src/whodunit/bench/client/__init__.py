"""`whodunit bench client`: what the pages cost."""
