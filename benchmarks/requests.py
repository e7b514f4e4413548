"""Random requests to `cranfield serve`: no error of the server, no label that nobody gave.

python -m benchmarks.requests --number 10000 --seed 0
"""

import argparse
import sys
import time

from tests.web.random_requests import Requests

EACH = 1000  # requests to one store


def main() -> int:
    """Send them; 1 where an answer or the log is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    args, start, wrong = parser.parse_args(), time.monotonic(), 0
    for round_ in range(args.number // EACH):
        requests = Requests(args.seed + round_)
        for line in requests.run(EACH):
            print(line)
            wrong += 1
        answers = ", ".join(f"{count} x {status}" for status, count in sorted(requests.statuses.items()))
        print(f"seed {args.seed + round_}: {answers}; {requests.recorded} events", flush=True)
        requests.close()
    print(f"{args.number} requests in {time.monotonic() - start:.0f} s, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
