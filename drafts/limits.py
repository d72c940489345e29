"""The bounds that the interface promises for drafts; those of what a listing has too stand with the listing's."""

from directory.facts import FACTS
from directory.limits import (
    LIST_ITEM,
    MILESTONE_DESCRIPTION,
    MILESTONE_TITLE,
    MILESTONE_URL,
    MILESTONES,
    PLATFORMS,
    SOCIAL_LINK,
    STORY_SECTION,
    STORY_SECTIONS,
)

URL = 2048

LOCK_FIELDS = 20
REGENERATE = 5
RESTORE = 20
REDRAFTS_A_DAY = 30

FAQS = 10
FAQ_QUESTION = 300
FAQ_ANSWER = 1500

FOUNDERS = 6
FOUNDER_NAME = 160
FOUNDER_TITLE = 160
FOUNDER_BIO = 3000

COMPETITOR_URL = 2048
SEO_TITLE = 70
SEO_META = 170

INVITES = 10
INVITE_EMAIL = 254
INVITE_DAYS = 14

FIELDS = tuple(FACTS)
TEXT_FIELDS = {name: fact.bound for name, fact in FACTS.items() if fact.kind != "list"}
LIST_FIELDS = {name: fact.bound for name, fact in FACTS.items() if fact.kind == "list"}
RESTORABLE = (*FIELDS, "faqs", "founders", "company_socials", "founder_socials")

SUGGESTIONS = 3
DRAFTED_CATEGORIES = 3
DRAFTED_FEATURES = 14
DRAFTED_USPS = 8
DRAFTED_KEYWORDS = 15
DRAFTED_TAGS = 8
SHORT_DESCRIPTION_DRAFTED = 300
EVIDENCE_QUOTE = 300
EVIDENCE_PER_VALUE = 12

MODEL_ANSWER_DAYS = 30
MODEL_USE_DAYS = 400
MODEL_REST_SECONDS = 60
