"""Runs in the peers' environment: plays the matches of a file on a cluster of two nodes, one of which is killed.

`python on_a_cluster.py <file> <results>` writes the results as they come, one a line.
"""

import os
import sys
from pathlib import Path

import msgspec

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
from ray.cluster_utils import Cluster

from whodunit.arena import Match
from whodunit.arena.cluster import results

KILLED_AFTER = 3
"""So many results have come when the second node goes; matches of it have begun by then."""


def main(todo: Path, told: Path) -> None:
    matches = msgspec.json.decode(todo.read_bytes(), type=list[Match])
    # Not 127.0.0.1, which Ray takes for the machine's address on its network.
    head = {"num_cpus": 1, "node_ip_address": "127.0.0.2", "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    second = cluster.add_node(num_cpus=1, node_ip_address="127.0.0.3")
    cluster.wait_for_nodes()
    with told.open("wb") as lines:
        for number, result in enumerate(results(matches, cluster.address), 1):
            lines.write(msgspec.json.encode(result) + b"\n")
            if number == KILLED_AFTER:
                cluster.remove_node(second, allow_graceful=False)
                print("killed a node")
    cluster.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
