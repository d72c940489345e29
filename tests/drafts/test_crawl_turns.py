"""One crawl at a time for a domain, whatever database session the two come by."""

import pytest

from core import jobs
from drafts.services.writing import only_one_crawl


def test_a_second_crawl_of_a_domain_waits_until_the_first_is_over() -> None:
    with only_one_crawl("acme.example", owner="draft 1"):
        with pytest.raises(jobs.NotNowError), only_one_crawl("acme.example", owner="draft 2"):
            pass
        with only_one_crawl("other.example", owner="draft 2"):
            pass
    with only_one_crawl("acme.example", owner="draft 2"):
        pass


def test_a_crawl_whose_worker_was_killed_is_taken_up_again_by_its_own_draft_alone() -> None:
    killed = only_one_crawl("acme.example", owner="draft 1")
    killed.__enter__()

    with pytest.raises(jobs.NotNowError), only_one_crawl("acme.example", owner="draft 2"):
        pass
    with only_one_crawl("acme.example", owner="draft 1"):
        pass
