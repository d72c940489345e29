"""The numbers of reviews and questions, and what makes a burst."""

from datetime import timedelta

STARS_MIN, STARS_MAX = 1, 5
TEXT_MIN, TEXT = 80, 1500
REPLY = 1500
AVERAGE_FROM = 3  # so many reviews are an average
ACCOUNT_AGE = timedelta(days=7)

# So many reviews of one product within the window that share a network or a company's mail domain, or so many from
# anywhere, wait for staff; and so many from one network, whatever they are of.
WINDOW = timedelta(hours=24)
BURST_ALIKE, BURST, BURST_OF_NETWORK = 3, 20, 6
WAITS_FOR = 200

QUESTION_MIN, QUESTION, ANSWER = 10, 500, 1500
QUESTIONS_A_DAY = 5
DAY = timedelta(days=1)

ON_LISTING, PER_PAGE, OWN_LISTED, MADE = 3, 10, 100, 2
