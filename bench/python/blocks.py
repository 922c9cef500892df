"""The client of the benchmark of Python: blocks of calls one at a time, on demand.

Reads one word a line, ``echo`` or ``guarded``; writes the p50 of a block in microseconds. Arguments: the sockets of the echo server and of the
daemon, and how many calls a block has.
"""

import socket
import sys
from time import perf_counter

from interlock_guard import RemoteEngine, enforce_tool_call


def frame(number: int) -> bytes:
    """What the client sends for such a call, so that both carry the same bytes."""
    return (
        b'{"event":{"action":"refund","args":{"amount":40,"customer":"c-77","note":"","order_id":"ORD-%d"},'
        b'"call_id":"c-%d","phase":"call","principal":"acme/agent42","ts":1796040000.123},"id":"op-12345-%d","v":1}\n'
    ) % (number, number, number)


class Bench:
    def __init__(self, echo_path: str, daemon_path: str, calls: int) -> None:
        self._calls = calls
        self._count = 0
        self._echo = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._echo.connect(echo_path)
        self._engine = RemoteEngine(daemon_path)

    def echo(self) -> None:
        line = frame(self._count)
        self._echo.sendall(line)
        missing = len(line)
        while missing > 0:
            missing -= len(self._echo.recv(65536))

    def guarded(self) -> None:
        number = self._count
        args = {"amount": 40, "customer": "c-77", "note": "", "order_id": f"ORD-{number}"}
        enforce_tool_call("refund", args, self._engine, principal="acme/agent42", call_id=f"c-{number}")

    def block(self, name: str) -> float:
        call = {"echo": self.echo, "guarded": self.guarded}[name]
        latencies = []
        for _ in range(self._calls):
            self._count += 1
            started = perf_counter()
            call()
            latencies.append(perf_counter() - started)
        return sorted(latencies)[self._calls // 2] * 1e6


def main() -> None:
    echo_path, daemon_path, calls = sys.argv[1:]
    bench = Bench(echo_path, daemon_path, int(calls))
    for line in sys.stdin:
        print(bench.block(line.strip()), flush=True)


if __name__ == "__main__":
    main()
