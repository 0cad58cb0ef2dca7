"""For research: what a seat sees as arrays. Needs the extra `research`; the games themselves need no numpy."""

from whodunit.env.observe import Observer

__all__ = ["Observer"]
