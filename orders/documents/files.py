"""The files of documents: planned when a document is issued, made by a job, handed to a network where the law asks."""

from datetime import date, datetime

import httpx2
from django.conf import settings
from django.db.models import CharField, QuerySet
from django.db.models.functions import Cast
from django.utils.module_loading import import_string

from core import jobs
from core.mail import Attachment, attaches
from core.models import Job
from core.outages import Bulkhead
from core.timed import timed_client
from orders.models import DocumentFile, Invoice

Format = DocumentFile.Format
# By name: their libraries are 12 MB in each process, and only a worker draws
WRITERS = {Format.PDF: "orders.documents.pdf.pdf", Format.UBL: "orders.documents.einvoice.ubl"}
TYPES = {Format.PDF: "application/pdf", Format.UBL: "application/xml"}
MAKE, HAND_OVER = "orders.make_document", "orders.hand_over"
# Where a business may only be invoiced by a structured document over Peppol, and since when
DEMANDED = {"BE": date(2026, 1, 1)}
SECONDS = 20.0
UNSIGNED = ", asked without PEPPOL_TOKEN"
ACCESS_POINT = Bulkhead("The access point", in_jobs=True)


def plan(document: Invoice, *, at: datetime) -> None:
    """In the transaction that issues a document: its files are to be made, and what the law wants sent, waits."""
    if is_demanded(document):
        DocumentFile.objects.create(document=document, format=Format.UBL, waits_since=at)
    if settings.INVOICE_FILES or is_demanded(document):
        jobs.add(MAKE, key=str(document.pk), document_id=document.pk)


def is_demanded(document: Invoice) -> bool:
    """Whether a sale to a business of the seller's own country has to be invoiced in structure."""
    since, buyer = DEMANDED.get(settings.SELLER_COUNTRY), document.document["buyer"]
    is_domestic = buyer.get("country_code") == settings.SELLER_COUNTRY and bool(buyer["vat_number"])
    return since is not None and is_domestic and not document.test_money and document.issued_on >= since


def stored(document: Invoice, form: str) -> bytes | None:
    row = DocumentFile.objects.filter(document=document, format=form).exclude(content=None).first()
    return bytes(row.content) if row is not None and row.content is not None else None


def ask_for(document: Invoice, *, at: datetime) -> None:
    """Have the files of a document made soon, as somebody wants one. Call it in a transaction."""
    minute = f"{at:%Y%m%d%H%M}"
    jobs.add(MAKE, key=f"{document.pk}-{minute}", document_id=document.pk)


def make(*, document_id: int, at: datetime) -> None:
    """Make what is missing. A document never changes, so what was made is never made again."""
    document = Invoice.objects.select_related("order").get(pk=document_id)
    existing = dict(document.files.values_list("format", "content"))
    for form in WRITERS:
        if existing.get(form) is None:
            values = {"content": _written(document, form), "made_at": at}
            DocumentFile.objects.update_or_create(document=document, format=form, defaults=values)
    if settings.PEPPOL_URL and waiting().filter(document=document).exists():
        jobs.add(HAND_OVER, key=str(document.pk), document_id=document.pk)


def _written(document: Invoice, form: str) -> bytes:
    return bytes(import_string(WRITERS[Format(form)])(document))


def waiting() -> QuerySet[DocumentFile]:
    """Files that the law wants sent and that nobody has sent yet."""
    return DocumentFile.objects.filter(waits_since__isnull=False, handed_at=None)


def _for_want_of_a_token() -> QuerySet[Job]:
    keys = waiting().annotate(key=Cast("document_id", CharField())).values("key")
    return Job.objects.filter(
        kind=HAND_OVER, state=Job.State.DEAD, key__in=keys, last_error__contains=UNSIGNED
    )


def hand_over_waiting(*, at: datetime) -> None:
    """Plan what waited before there was an access point; whatever was planned once is not planned again.

    But for what was refused for want of a token, once there is one: that goes by itself, once.
    """
    if settings.PEPPOL_URL:
        for job_id in _for_want_of_a_token().values_list("pk", flat=True) if settings.PEPPOL_TOKEN else ():
            jobs.revive(job_id=job_id, at=at)
        for pk in waiting().exclude(content=None).values_list("document", flat=True):
            jobs.add(HAND_OVER, key=str(pk), document_id=pk)


def handing_of(document: Invoice) -> Job | None:
    """The job that gives a document to the access point, where there is one."""
    return Job.objects.filter(kind=HAND_OVER, key=str(document.pk)).first() if settings.PEPPOL_URL else None


def hand_over(*, document_id: int, at: datetime) -> None:
    """Give a file to the operator's access point, which answers with what it calls it. Its number is the key there."""
    row = waiting().select_related("document").filter(document=document_id).exclude(content=None).first()
    if row is None or row.content is None:
        return
    headers = {"Content-Type": "application/xml", "Idempotency-Key": row.document.number}
    if settings.PEPPOL_TOKEN:
        headers["Authorization"] = f"Bearer {settings.PEPPOL_TOKEN}"
    with ACCESS_POINT.place(), timed_client(SECONDS) as client:  # a job, for which no request waits
        answer = client.post(settings.PEPPOL_URL, content=bytes(row.content), headers=headers)
    if answer.status_code in (408, 425, 429) or answer.status_code >= 500:
        raise httpx2.HTTPError(f"The access point answers {answer.status_code}.")
    if not answer.is_success:
        is_unsigned = answer.status_code in (401, 403) and not settings.PEPPOL_TOKEN
        why = f"{answer.status_code}{UNSIGNED if is_unsigned else ''}"
        raise jobs.PermanentError(f"The access point refused {row.document.number}: {why}.")
    row.handed_at, row.handed_as = at, _name_in(answer)
    row.save(update_fields=["handed_at", "handed_as"])


def _name_in(answer: httpx2.Response) -> str:
    try:
        body = answer.json()
    except ValueError:
        return ""
    return str(body.get("id", ""))[:120] if isinstance(body, dict) else ""


def mark_sent(*, document_id: int, at: datetime) -> bool:
    """Staff gave the file to the network by themselves. False if it did not wait."""
    return bool(waiting().filter(document=document_id).update(handed_at=at, handed_as="by hand"))


@attaches("orders.document")
def attachment(key: str) -> Attachment | None:
    """The PDF of a document, for a mail that is just being sent; made now if no job has yet."""
    if not settings.INVOICE_FILES:
        return None
    document = Invoice.objects.select_related("order").get(pk=int(key))
    content = stored(document, Format.PDF) or _written(document, Format.PDF)
    return Attachment(name=f"{document.number}.pdf", content=content, type=TYPES[Format.PDF])
