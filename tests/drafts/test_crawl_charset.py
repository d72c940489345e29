"""Pages are decoded as their writers meant them."""

import codecs
import time

import pytest

from drafts.crawl.charset import decode

GERMAN = "<p>Größe: 12 €, schön</p>"
RUSSIAN = "<p>Цены указаны в рублях, доставка бесплатно, звоните нам каждый день</p>"
JAPANESE = "<p>料金プランはこちらです。お問い合わせください。</p>"
CHINESE = "<p>价格方案与联系我们，产品功能介绍</p>"
KOREAN = "<p>가격 안내와 회사 소개를 확인하세요</p>"


@pytest.mark.parametrize(
    ("text", "encoding", "label"),
    [
        (GERMAN, "utf-8", "utf-8"),
        (GERMAN, "cp1252", "iso-8859-1"),
        (GERMAN, "cp1252", "windows-1252"),
        (GERMAN, "cp1252", "us-ascii"),
        (GERMAN, "iso8859-15", "iso-8859-15"),
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8-r", "koi8-r"),
        (JAPANESE, "cp932", "shift_jis"),
        (JAPANESE, "cp932", "x-sjis"),
        (JAPANESE, "euc_jp", "euc-jp"),
        (JAPANESE, "iso2022_jp", "iso-2022-jp"),
        (CHINESE, "gb18030", "gb2312"),
        (CHINESE, "gb18030", "gbk"),
        (KOREAN, "cp949", "euc-kr"),
    ],
)
def test_the_header_and_the_meta_tag_are_believed(text: str, encoding: str, label: str) -> None:
    page = f'<html><head><meta charset="{label}"></head>{text}'

    assert decode(text.encode(encoding), charset=label) == text
    assert decode(page.encode(encoding), charset="") == page


@pytest.mark.parametrize(
    "declaration",
    [
        '<meta charset="windows-1251">',
        "<META CHARSET=windows-1251>",
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        '<?xml version="1.0" encoding="windows-1251"?>',
        " " * 3500 + '<meta charset="windows-1251">',
    ],
)
def test_declarations_within_four_kilobytes(declaration: str) -> None:
    page = declaration + RUSSIAN

    assert decode(page.encode("cp1251"), charset="") == page


@pytest.mark.parametrize(
    ("page", "encoding", "header"),
    [
        (f'{" " * 3500}<meta charset="iso-8859-15">5 €', "iso-8859-15", ""),  # late, and not guessed
        (f'<meta charset="iso-8859-1">{RUSSIAN}', "cp1251", "windows-1251"),
        (f'<meta charset="utf-8">{RUSSIAN * 5}', "cp1251", "utf-8"),  # both are wrong
    ],
)
def test_the_header_beats_the_meta_tag_and_a_wrong_declaration_is_noticed(
    page: str, encoding: str, header: str
) -> None:
    assert decode(page.encode(encoding), charset=header) == page


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")],
)
def test_a_byte_order_mark_beats_everything(mark: bytes, encoding: str) -> None:
    assert decode(mark + GERMAN.encode(encoding), charset="windows-1251") == GERMAN


def test_valid_utf8_beats_an_old_default_header() -> None:
    assert decode(GERMAN.encode(), charset="iso-8859-1") == GERMAN


@pytest.mark.parametrize(
    "label", ["", "utf-8", "nonsense", "base64", "idna", "punycode", "utf-7", "rot13", "hex"]
)
def test_labels_that_are_no_text_encoding_are_ignored(label: str) -> None:
    assert decode(GERMAN.encode(), charset=label) == GERMAN


def test_nothing_declared_and_not_utf8() -> None:
    page = RUSSIAN * 5

    assert decode(page.encode("cp1251"), charset="") == page


def test_one_broken_byte_does_not_spoil_a_page() -> None:
    body = GERMAN.encode() * 100 + b"\xff" + GERMAN.encode()

    assert decode(body, charset="utf-8") == GERMAN * 100 + "\ufffd" + GERMAN


def test_a_meta_tag_cannot_claim_utf16() -> None:
    page = f'<meta charset="utf-16">{GERMAN}'

    assert decode(page.encode(), charset="") == page


def test_nul_is_left_out() -> None:
    assert decode(b"a\x00b", charset="utf-8") == "ab"


def test_noise_is_decoded_in_time() -> None:
    started = time.thread_time()

    assert decode(bytes(range(1, 256)) * 8000, charset="")
    assert time.thread_time() - started < 2
