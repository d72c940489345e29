from datetime import timedelta

from directory.limits import SLUG

EMAIL = 254
TOKEN = 32

LIFE = timedelta(days=7)
LINK_LIFE = timedelta(hours=48)
PROOF_LINK_LIFE = timedelta(days=14)
CONTEST = timedelta(days=7)
LOSER_WAITS = timedelta(days=30)

# how long a proof stands before it is checked again, and what happens while it is not found
PROOF_AGE = timedelta(days=30)
EMAIL_PROOF_AGE = timedelta(days=365)
AFTER_FAILURE = timedelta(days=7)
FAILURES = 3
FAILING_FOR = (FAILURES - 1) * AFTER_FAILURE

# one check
MAX_BYTES = 512 * 1024
FILE_BYTES = 1024
MAX_TAGS = 20_000
SEEN = 5
SEEN_TEXT = 200
RAW = 2000
