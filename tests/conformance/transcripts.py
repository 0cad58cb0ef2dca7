"""Make a golden transcript of one of our games, played by our own plugs:

python -m tests.conformance.transcripts clue tests/games/clue/golden/two-players.case --seats 2 --seed 7
"""

import sys

from tests.plugs import plug_of
from whodunit.conformance.golden import main

if __name__ == "__main__":
    main(sys.argv[1:], plug_of)
