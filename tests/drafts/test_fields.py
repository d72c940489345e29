"""The states of a draft field, driven at random against a small model of the rules."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drafts.facts import states
from drafts.facts.states import Drafted, FieldValue

AI = FieldValue(value="Ink", state="ai", evidence=("q",), ai_value="Ink", ai_evidence=("q",))
BLANK = FieldValue(reason="not_on_site")


@pytest.mark.parametrize(
    ("before", "value", "state"),
    [
        (AI, "Inkwell", "edited"),
        (BLANK, "Inkwell", "manual"),
        (AI, None, "deleted"),
        (AI, "", "deleted"),
        (AI, [], "deleted"),
    ],
)
def test_a_typed_value_is_the_owners_own_and_carries_no_quotes(
    before: FieldValue, value: Any, state: str
) -> None:
    after = states.typed(before, value)

    assert (after.state, after.value, after.evidence, after.ai_value) == (
        state,
        value or None,
        (),
        before.ai_value,
    )


def test_a_locked_field_keeps_its_lock_when_its_owner_types() -> None:
    after = states.typed(states.locked(AI), "Inkwell")

    assert (after.value, after.state, after.is_locked) == ("Inkwell", "override", True)


def test_restore_unlocks_with_the_ai_value_and_unlock_keeps_the_text() -> None:
    own = states.typed(states.locked(AI), "Inkwell")

    assert states.restored(own, "not_on_site") == FieldValue(
        value="Ink", state="ai", evidence=("q",), ai_value="Ink", ai_evidence=("q",), updated_by="user"
    )
    assert (states.unlocked(own).value, states.unlocked(own).state) == ("Inkwell", "edited")


def test_a_redraft_leaves_a_locked_field_alone_and_keeps_the_owners_text_when_the_site_says_nothing() -> None:
    locked = states.locked(AI)
    own = states.typed(BLANK, "Inkwell")

    assert states.redrafted(locked, Drafted(value="Quill", evidence=("z",))) == locked
    kept = states.redrafted(own, Drafted(reason="conflicting"))
    assert (kept.value, kept.state, kept.reason) == ("Inkwell", "manual", "conflicting")


def test_a_first_draft_does_not_overwrite_what_was_typed_while_it_was_written() -> None:
    own = states.typed(BLANK, "Inkwell")

    after = states.drafted(own, Drafted(value="Ink", evidence=("q",)))

    assert (after.value, after.state, after.ai_value) == ("Inkwell", "manual", "Ink")


@dataclass
class Model:
    """The rules in the plainest words: whose text it is, whether it is locked, what the site gave."""

    text: str | None = None
    from_ai: bool = True
    removed: bool = False
    locked: bool = False
    ai: str | None = None
    log: list[str] = field(default_factory=list)

    def state(self) -> str:
        if self.removed:
            return "deleted"
        if self.locked:
            return "override"
        if self.from_ai:
            return "ai" if self.text else "not_found"
        return "edited" if self.ai else "manual"

    def is_quoted(self) -> bool:
        """Only what came from the site carries quotes, under a lock too."""
        return self.from_ai and self.text is not None

    def apply(self, move: str, value: str | None) -> None:
        if move == "type":
            self.text, self.from_ai, self.removed = value, False, value is None
        elif move == "lock":
            self.locked, self.removed = True, False
        elif move == "restore":
            self.text, self.from_ai, self.locked, self.removed = self.ai, True, False, False
        elif not self.locked and not (value is None and self.text and not self.from_ai):
            self.ai, self.text, self.from_ai, self.removed = value, value, True, False


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["type", "lock", "restore", "redraft"]), st.none() | st.sampled_from(["a", "b", "c"])
    ),
    max_size=12,
)


@given(first=st.none() | st.sampled_from(["a", "b"]), moves=MOVES)
def test_any_sequence_of_moves_follows_the_model(
    first: str | None, moves: list[tuple[str, str | None]]
) -> None:
    value = states.drafted(
        FieldValue(), Drafted(value=first, evidence=("q",) if first else (), reason="not_on_site")
    )
    model = Model(text=first, ai=first)

    for move, given_value in moves:
        if move == "type":
            value = states.typed(value, given_value)
        elif move == "lock":
            value = states.locked(value)
        elif move == "restore":
            value = states.restored(value, "not_on_site")
        else:
            value = states.redrafted(
                value,
                Drafted(
                    value=given_value, evidence=(given_value,) if given_value else (), reason="not_on_site"
                ),
            )
        model.apply(move, given_value)

        assert (value.value, value.state, value.is_locked) == (model.text, model.state(), model.locked)
        assert bool(value.evidence) == model.is_quoted()
