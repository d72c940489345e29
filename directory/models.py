from directory.categories.models import Category, CategoryCount
from directory.editorial.models import (
    BlogPost,
    InterviewAnswer,
    InterviewQuestion,
    ListingUpdate,
    Milestone,
    SitePage,
)
from directory.engagement.models import (
    CounterFold,
    Follow,
    LaunchReminder,
    ListingStats,
    MailChoice,
    ShownWhileLive,
    TopicFollow,
    UpdateNotice,
    VisitCount,
    VisitSource,
    Vote,
    WeekReminder,
    WinnersReader,
)
from directory.images.models import Upload
from directory.launches.models import FeaturedCount, FeaturedPlace, LaunchHour
from directory.listings.models.history import FormerSlug, ListingRevision, Undo, UnpublishedEdit
from directory.listings.models.listing import (
    Alternative,
    BadgeCheck,
    Launch,
    Listing,
    ListingCategory,
    ListingMove,
    ListingQuerySet,
)
from directory.people.models import Founder, ListingFounder
from directory.reports.models import Report
from directory.reviews.models import Question, Review, ReviewVersion
from directory.search.models import ListingCard, SearchDocument, SearchTerm, SiteCount
from directory.sites.models import Site, SiteSettings
