from claims.proving import checking, reproving
from core.jobs import does

does("claims.plan", reproving.plan, every=300)
does("claims.check", checking.check_by_job, queue="crawl", attempts=3)
does("claims.prove_again", reproving.prove_again, queue="crawl", attempts=3, is_background=True)
does("claims.end_contest", reproving.end_contest, queue="crawl", attempts=3)
