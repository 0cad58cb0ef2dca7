"""One running game, for any game: the table itself, its record, its seal, and the check of all three."""
