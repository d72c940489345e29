"""The numbers the interface promises for listings, grouped by shape."""

from datetime import timedelta

from core import slugs

SLUG, SLUG_PATTERN = slugs.LENGTH, slugs.PATTERN

# search_listings
QUERY = 200
PRICING_MODEL_FILTER = 40
DOMAIN = 253

# list_founders, list_blog_posts
FOUNDER_QUERY = 120
BLOG_QUERY = 200

# update_my_listing
NAME = 500
TAGLINE = 200
SHORT_DESCRIPTION = 300
DESCRIPTION = 20_000
PRICING_MODEL = 40
PRICING_SUMMARY = 300
STAGES = (
    "idea",
    "prototype",
    "mvp",
    "alpha",
    "private-beta",
    "closed-beta",
    "beta",
    "open-beta",
    "public-beta",
    "early-access",
    "launched",
    "growing",
    "scaling",
    "mature",
)
COUNTRY = 2
CITY = 120
FOUNDED_YEAR_MIN, FOUNDED_YEAR_MAX = 1800, 2100
DEMO_VIDEO_URL = 500
CONTACT_EMAIL = 254
LIST_ITEMS, LIST_ITEM = 20, 200
HEADLINE = 200
SUMMARY = 20_000
SEO_TITLE = 200
SEO_DESCRIPTION = 320

APPLY_TO, SITE_KEY = 60, 40

# a draft may hold longer texts than update_my_listing takes
DRAFT_TEXT = 500

# shapes
FAQ_QUESTION, FAQ_ANSWER, FAQS = 300, 1500, 10
FOUNDER_NAME, FOUNDER_TITLE, FOUNDER_BIO, FOUNDERS = 160, 160, 3000, 6
PICTURES, PICTURE_WORDS = 6, 200
PICTURES_WAITING = 12  # of one person, until they are prepared
MILESTONE_TITLE, MILESTONE_DESCRIPTION, MILESTONE_URL, MILESTONES = 200, 2000, 500, 50
STORY_TITLE, STORY_SECTION = 200, 8000
STORY_SECTIONS = (
    "story",
    "why_started",
    "problem",
    "journey",
    "challenges",
    "achievements",
    "lessons",
    "whats_next",
)
UPDATE_TITLE, UPDATE_BODY = 200, 5000
INTERVIEW_ANSWER, INTERVIEW_ANSWERS = 4000, 30
SOCIAL_LINK = 500
PLATFORMS = (
    "linkedin",
    "x",
    "facebook",
    "instagram",
    "tiktok",
    "youtube",
    "threads",
    "pinterest",
    "github",
    "reddit",
    "producthunt",
    "medium",
    "website",
    "custom",
)
WEEK = 10
URL = 2048
EXTRA_CATEGORIES = 3
FEATURED_LISTED = 3  # in each marked place at a time

# Votes: so many for one listing within the window, from accounts younger than that which share a network or a mail
# domain, are held until staff have looked at them. A mail domain of many people's mailboxes says nothing.
VOTE_BURST = 5
VOTE_BURST_WINDOW = timedelta(hours=24)
NEW_ACCOUNT = timedelta(days=7)
VOTE_REASON = 200

# Mail to followers: so many are noted in one transaction; digests come at this hour (UTC), so many people in one run;
# a mail holds so many updates, of several so much of each
MAILED_AT_ONCE = 500
DIGEST_HOUR = 6
DIGESTS_AT_ONCE = 2000
DIGEST_LISTED, DIGEST_EXCERPT = 20, 600
FOLLOWS_LISTED = 100
REVIEWS_FOR_BEST = 10  # that count, from which on a product is among the best reviewed
TOPICS_FOLLOWED = 100  # makers and categories

# What a reader says is wrong on a listing
REPORTER_NAME = 100
REPORT_TEXT = 1000

# What staff say of a listing or an edit; its owner reads it.
STAFF_REASON = 300
# So long staff can take a decision about an edit back; the owner is told when that time is over
REVIEW_UNDO = timedelta(minutes=10)
NEWS_WAITS = timedelta(hours=24)  # news that staff look at first is mailed by then, looked at or not
NEWS_LOOKED_AT = timedelta(minutes=30)  # how often it is asked whether they have
SITE_PAGE = 100_000
