"""What happens round a game: who sits where, who is asked, what is said. Pure values and functions."""
