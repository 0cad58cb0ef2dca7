"""Cases to solve: cut from games, proved, and judged by what is known so far."""
