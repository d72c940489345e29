"""The bounds that the interface promises for drafts; those of what a listing has too stand with the listing's."""

from directory.limits import (
    MILESTONE_DESCRIPTION,
    MILESTONE_TITLE,
    MILESTONE_URL,
    MILESTONES,
    PLATFORMS,
    SOCIAL_LINK,
    STORY_SECTION,
    STORY_SECTIONS,
)

__all__ = [
    "MILESTONES",
    "MILESTONE_DESCRIPTION",
    "MILESTONE_TITLE",
    "MILESTONE_URL",
    "PLATFORMS",
    "SOCIAL_LINK",
    "STORY_SECTION",
    "STORY_SECTIONS",
]

URL = 2048

NAME = 500
TAGLINE = 500
SHORT_DESCRIPTION = 500
DESCRIPTION = 20_000
STAGE = 500
PRICING_MODEL = 500
PRICING_SUMMARY = 500
COUNTRY = 500
CITY = 500
FOUNDED_YEAR = 500
CONTACT_EMAIL = 500
DEMO_VIDEO_URL = 500
LOGO_URL = 500

LIST_ITEMS = 20
LIST_ITEM = 200
CATEGORIES = LIST_ITEMS
TAGS = LIST_ITEMS
FEATURES = LIST_ITEMS
USPS = LIST_ITEMS
KEYWORDS = LIST_ITEMS

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

TEXT_FIELDS = {
    "name": NAME,
    "tagline": TAGLINE,
    "short_description": SHORT_DESCRIPTION,
    "description": DESCRIPTION,
    "stage": STAGE,
    "pricing_model": PRICING_MODEL,
    "pricing_summary": PRICING_SUMMARY,
    "country": COUNTRY,
    "city": CITY,
    "founded_year": FOUNDED_YEAR,
    "contact_email": CONTACT_EMAIL,
    "demo_video_url": DEMO_VIDEO_URL,
    "logo_url": LOGO_URL,
}
LIST_FIELDS = {
    "categories": CATEGORIES,
    "tags": TAGS,
    "features": FEATURES,
    "usps": USPS,
    "keywords": KEYWORDS,
}
FIELDS = (
    "name",
    "tagline",
    "short_description",
    "description",
    "stage",
    "categories",
    "tags",
    "pricing_model",
    "pricing_summary",
    "country",
    "city",
    "founded_year",
    "features",
    "usps",
    "keywords",
    "contact_email",
    "demo_video_url",
    "logo_url",
)

RESTORABLE = (*FIELDS, "faqs", "founders", "company_socials", "founder_socials")

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
