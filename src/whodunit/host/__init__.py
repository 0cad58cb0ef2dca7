"""Runs tables: takes wishes, stores what comes of them, rings timers, and tells whoever listens."""
