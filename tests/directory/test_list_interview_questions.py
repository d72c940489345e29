"""list_interview_questions: what the site asks founders at present."""

from directory.models import InterviewQuestion, Site
from tests.conftest import Api

PATH = "/api/v1/interview-questions"


def test_questions_come_in_staffs_order_without_those_put_aside(api: Api, site: Site) -> None:
    second = InterviewQuestion.objects.create(question="What next?", order=2)
    first = InterviewQuestion.objects.create(question="Why?", help="Be honest.", order=1)
    InterviewQuestion.objects.create(question="Old?", order=0, is_active=False)

    assert api().get(PATH).json() == {
        "items": [
            {"id": first.pk, "question": "Why?", "help": "Be honest.", "max_length": 4000, "order": 1},
            {"id": second.pk, "question": "What next?", "help": None, "max_length": 4000, "order": 2},
        ]
    }


def test_there_may_be_none(api: Api, site: Site) -> None:
    assert api().get(PATH).json() == {"items": []}
