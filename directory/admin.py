from directory.categories import staff as categories
from directory.editorial import staff as editorial
from directory.engagement import staff as votes
from directory.listings.staff import listings
from directory.moderation.staff import revisions
from directory.people import staff as people
from directory.reports import staff as reports
from directory.reviews import staff as reviews
from directory.sites import staff as sites
