"""The database engine of the service: Django's, with a cheaper check of idle connections."""
