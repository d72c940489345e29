"""What the site asks founders."""

from typing import Any

from directory import limits
from directory.models import InterviewQuestion


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
