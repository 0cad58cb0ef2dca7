"""A game in progress and its record as values. Pure: no clock, no chance, no I/O."""
