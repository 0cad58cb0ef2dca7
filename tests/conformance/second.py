"""The second process, for a game with a fault that must be found."""

from tests.conformance.faults import HASHED, faulty
from whodunit.conformance.second import main

if __name__ == "__main__":
    main(lambda _: faulty(HASHED))
