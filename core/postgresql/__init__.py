"""The database engine of the service: Django's, with a cheaper look at connections that are kept."""
