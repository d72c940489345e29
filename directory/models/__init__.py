"""Facts and constraints of the directory."""

from directory.models.alternatives import Alternative
from directory.models.category import Category, CategoryCount
from directory.models.editorial import (
    BlogPost,
    InterviewAnswer,
    InterviewQuestion,
    ListingUpdate,
    Milestone,
    SitePage,
)
from directory.models.engagement import (
    Follow,
    ListingStats,
    MailChoice,
    ShownWhileLive,
    UpdateNotice,
    Vote,
)
from directory.models.featured import FeaturedCount, FeaturedPlace
from directory.models.founder import Founder, ListingFounder
from directory.models.history import ListingRevision
from directory.models.listing import (
    BadgeCheck,
    Launch,
    Listing,
    ListingCategory,
    ListingMove,
    ListingQuerySet,
)
from directory.models.reports import Report
from directory.models.search import ListingCard, SearchDocument, SearchTerm, SiteCount
from directory.models.site import Site, SiteSettings
from directory.models.upkeep import FormerSlug, Undo
from directory.models.uploads import Upload

__all__ = [
    "Alternative",
    "BadgeCheck",
    "BlogPost",
    "Category",
    "CategoryCount",
    "FeaturedCount",
    "FeaturedPlace",
    "Follow",
    "FormerSlug",
    "Founder",
    "InterviewAnswer",
    "InterviewQuestion",
    "Launch",
    "Listing",
    "ListingCard",
    "ListingCategory",
    "ListingFounder",
    "ListingMove",
    "ListingQuerySet",
    "ListingRevision",
    "ListingStats",
    "ListingUpdate",
    "MailChoice",
    "Milestone",
    "Report",
    "SearchDocument",
    "SearchTerm",
    "ShownWhileLive",
    "Site",
    "SiteCount",
    "SitePage",
    "SiteSettings",
    "Undo",
    "UpdateNotice",
    "Upload",
    "Vote",
]
