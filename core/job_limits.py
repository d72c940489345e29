"""How long a job may work. Read by Celery before Django is ready, so nothing else is read along."""

SOFT_LIMIT_SECONDS, GRACE_SECONDS = 150.0, 30.0
