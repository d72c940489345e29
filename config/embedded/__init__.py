"""PostgreSQL and Redis of our own for an installation that names none, and the supervisor that runs all."""
