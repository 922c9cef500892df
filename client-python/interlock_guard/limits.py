"""Every limit of the wire and of this client, with its unit in its name. The wire's are those of the protocol's documentation."""

PROTOCOL_VERSION = 1

MAX_LINE_BYTES = 8 * 1024 * 1024
"""One frame, newline included. Exactly this many bytes is accepted, one more is not."""

MAX_NESTING_DEPTH = 128
"""Arrays and objects inside each other in one frame, the frame's own object included."""

MAX_VALUE_NODES = MAX_LINE_BYTES // 2
"""Members and items of one value that is to be sent. Each takes two bytes at least, so a frame holds no more."""

MAX_SAFE_INTEGER = 2**53 - 1

MAX_REASON_BYTES = 512
MAX_NAME_BYTES = 1024
MAX_TOKEN_BYTES = 8192
MAX_FEATURE_NAMES = 64
MAX_FEATURE_NAME_CHARACTERS = 64

MAX_IN_FLIGHT_REQUESTS = 256
"""Requests one connection may have undecided. The daemon stops reading beyond it."""

MAX_OVERDUE_ANSWERS = MAX_IN_FLIGHT_REQUESTS // 2
"""Unanswered ids remembered after their timeout. One more, and the connection is given up as hung."""

MAX_WAITING_QUESTIONS = 4096
"""Questions that wait for a place on the connection. One more is refused at once."""

MAX_WAITING_BYTES = 64 * 1024 * 1024
MAX_UNSENT_BYTES = 2 * MAX_LINE_BYTES
"""Bytes given to a connection that have not left the process. Beyond it questions wait their turn."""

READ_BYTES = 64 * 1024

FIRST_PAUSE_S = 0.010
LONGEST_PAUSE_S = 0.100
"""Pauses between two attempts to connect."""

DEFAULT_TIMEOUT_S = 5.0
DEFAULT_GRACE_S = 1.0
"""How long a socket may be gone before the daemon counts as unreachable."""

DEFAULT_ESCALATE_DEADLINE_S = 600.0
LONGEST_WAIT_S = (2**31 - 1) / 1000
FIRST_POLL_S = 0.250
LONGEST_POLL_S = 2.0
"""Pauses between two questions whether a call is approved by now."""
