"""The conformance suite: what every game must keep, above all that it leaks nothing. `pytest --whodunit-game my_game`.

A game needs nothing beyond its package for it. Whoever wants a second opinion on what a viewer may know, or has a game
too large to list its worlds, writes a plug (see plug.py).
"""
