"""What the site signs is checked by a library that is not ours, with nothing but the published keys."""

import json
from typing import Any

import jwt
import pytest
from django.core.management import call_command
from django.test import Client

from core import signing
from core.models import SigningKey

pytestmark = pytest.mark.django_db
CLAIMS = {"iss": "https://launch.example", "week": "2026-11-16", "name": "Brindle é"}


def published() -> dict[str, jwt.PyJWK]:
    response = Client().get("/.well-known/jwks.json")
    assert response["Content-Type"] == "application/jwk-set+json"
    assert response["Access-Control-Allow-Origin"] == "*"
    return {key["kid"]: jwt.PyJWK(key) for key in json.loads(response.content)["keys"]}


def read(text: str) -> dict[str, Any]:
    header = jwt.get_unverified_header(text)
    assert header["alg"] == "EdDSA"
    return jwt.decode(text, published()[header["kid"]], algorithms=["EdDSA"])


def test_a_stranger_checks_what_was_signed() -> None:
    text = signing.sign(CLAIMS, typ="vc+jwt")

    assert read(text) == CLAIMS
    assert signing.checked(text) == CLAIMS
    assert jwt.get_unverified_header(text)["typ"] == "vc+jwt"


def test_one_other_letter_anywhere_is_noticed() -> None:
    text = signing.sign(CLAIMS)
    head, body, signature = text.split(".")
    other_signature = ("B" if signature[0] == "A" else "A") + signature[1:]

    for broken in (
        f"{head}.{body[:-4]}AAA{body[-1]}.{signature}",
        f"{head}.{body}.{other_signature}",
        "",
        "a.b.c",
        text[:-9],
    ):
        assert broken != text
        with pytest.raises(signing.SignatureError):
            signing.checked(broken)
    with pytest.raises(jwt.InvalidSignatureError):
        read(f"{head}.{body}.{other_signature}")


def test_a_rotation_signs_with_a_new_key_and_leaves_the_old_ones_valid(capsys: Any) -> None:
    before = signing.sign(CLAIMS)
    call_command("rotate_signing_key")
    after = signing.sign(CLAIMS)

    kids = [jwt.get_unverified_header(text)["kid"] for text in (after, before)]
    assert capsys.readouterr().out.strip() == kids[0]
    assert list(published()) == kids
    assert [read(text) for text in (before, after)] == [CLAIMS, CLAIMS]
    assert signing.checked(before) == CLAIMS
    assert [bytes(key.private) == b"" for key in SigningKey.objects.order_by("is_current")] == [True, False]


def test_the_private_key_is_no_plain_text_and_nothing_of_it_is_published() -> None:
    signing.sign(CLAIMS)

    key = SigningKey.objects.get()
    assert bytes(key.private).startswith(b"-----BEGIN ENCRYPTED PRIVATE KEY-----")
    assert set(key.public) == {"kty", "crv", "x", "kid", "use", "alg"}


def test_a_former_secret_key_opens_it_and_a_lost_one_brings_a_new_key(settings: Any) -> None:
    before, former = signing.sign(CLAIMS), settings.SECRET_KEY
    signing._opened.cache_clear()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another secret key of enough letters", [former]
    same = signing.sign(CLAIMS)
    signing._opened.cache_clear()
    settings.SECRET_KEY_FALLBACKS = []
    other = signing.sign(CLAIMS)

    assert (same == before, other == before) == (True, False)
    assert [read(text) for text in (before, other)] == [CLAIMS, CLAIMS]
