from datetime import timedelta

WEEK = 10
RATING_MAX = 100
AWARDED_RANKS = 3
PROGRAMME_SLUG = 80
PROGRAMME_TITLE = 120
PROGRAMME_TEXT = 4000
CABINET_TITLE = 60
CABINET_ITEMS = 100
PROGRAMMES_LISTED = 100
PROGRAMMES_OFFERED = 3  # on a listing's own page
ENTRIES = 500
EARLIEST_YEAR = 1
LATEST_YEAR = 9999
SETTLES_IN = timedelta(minutes=5)  # longer than any vote or launch takes from its clock to its commit
