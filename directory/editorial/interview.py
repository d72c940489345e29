"""What the site asks founders."""

from typing import Any

from directory import limits
from directory.models import InterviewAnswer, InterviewQuestion


def interview_questions() -> list[dict[str, Any]]:
    """The questions that are asked at present, in staff's order."""
    rows = InterviewQuestion.objects.filter(is_active=True).order_by("order", "pk")
    return [
        {
            "id": row.pk,
            "question": row.question,
            "help": row.help or None,
            "max_length": limits.INTERVIEW_ANSWER,
            "order": row.order,
        }
        for row in rows
    ]


def interview_answers(*, user_id: int) -> list[dict[str, Any]]:
    """A person's answers, in the order of the questions."""
    rows = InterviewAnswer.objects.filter(user=user_id).order_by("question__order", "question")
    return [
        {"question_id": row.question_id, "answer": row.answer, "updated_at": row.updated_at} for row in rows
    ]


def public_answers(*, user_id: int) -> list[InterviewAnswer]:
    """What stands on the listings of a person: answers to questions that are still asked, in their order."""
    rows = InterviewAnswer.objects.filter(user=user_id, question__is_active=True).select_related("question")
    return list(rows.order_by("question__order", "question"))
