"""What the site asks founders, and what they answer."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q

from core.api.errors import FieldError, InvalidRequestError, needs_fix
from directory import limits
from directory.models import InterviewAnswer, InterviewQuestion


@transaction.atomic
def answer_interview(*, user_id: int, answers: Sequence[Mapping[str, Any]], at: datetime) -> None:
    """Keep these answers; an empty one removes what was answered, and those of other questions stay.

    Raises InvalidRequestError for a question that is not asked, or that is answered twice in one call.
    """
    refuse_unknown(answers, user_id=user_id)
    values = {answer["question_id"]: answer["answer"] for answer in answers}
    mine = InterviewAnswer.objects.filter(user=user_id)
    mine.filter(question__in=[question for question, words in values.items() if not words]).delete()
    same = set(mine.filter(question__in=values).values_list("question", "answer"))
    InterviewAnswer.objects.bulk_create(
        [
            InterviewAnswer(user_id=user_id, question_id=question, answer=words, updated_at=at)
            for question, words in values.items()
            if words and (question, words) not in same
        ],
        update_conflicts=True,
        unique_fields=["user", "question"],
        update_fields=["answer", "updated_at"],
    )


def refuse_unknown(answers: Sequence[Mapping[str, Any] | None], *, user_id: int) -> None:
    """One that is no longer asked may still be changed by who answered it. None is an answer that breaks its shape."""
    present = [answer["question_id"] if answer else None for answer in answers]
    ids = [question for question in present if question is not None]
    questions = InterviewQuestion.objects.filter(Q(is_active=True) | Q(answers__user=user_id), pk__in=ids)
    existing = set(questions.values_list("pk", flat=True))
    errors = [
        FieldError(
            code="unknown_question" if question not in existing else "answered_twice",
            pointer=f"/answers/{position}/question_id",
            message="There is no such question."
            if question not in existing
            else "This question is answered twice in one call.",
        )
        for position, question in enumerate(present)
        if question is not None and (question not in existing or question in present[:position])
    ]
    if errors:
        raise InvalidRequestError(f"{needs_fix(errors)} Nothing was changed.", errors=errors)


def interview_questions() -> list[dict[str, Any]]:
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
    rows = InterviewAnswer.objects.filter(user=user_id).order_by("question__order", "question")
    return [
        {"question_id": row.question_id, "answer": row.answer, "updated_at": row.updated_at} for row in rows
    ]


def public_answers(*, user_id: int, about: str = "") -> list[InterviewAnswer]:
    """A person's answers to questions that are still asked, in their order: all, or those that name a product."""
    rows = InterviewAnswer.objects.filter(user=user_id, question__is_active=True, answer__contains=about)
    return list(rows.select_related("question").order_by("question__order", "question"))
