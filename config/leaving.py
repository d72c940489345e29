"""How a web server is asked to let go of its callers before it ends: each connection gets one more answer.

A server that ends closes what is idle, and loses the request that is on its way just then. Whoever is told that the
connection closes (RFC 9112, section 9.6) asks the next time on a new one, which the server in its place takes.
"""

import signal

LEAVE = signal.SIGURG  # sent to each process; one that does not know it, of a former release, ignores it
