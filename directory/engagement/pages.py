"""Votes and follows of a person, the mail they want and the links that stop it, and the winners by mail."""

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.sessions import signed_in, signed_in_form, signed_in_page, user_of
from core.api import throttling
from core.api.errors import NotFoundError
from core.email_addresses import LONGEST, AddressField
from directory import limits
from directory.engagement import follower_mail, topic_mail, winners
from directory.engagement.topic_mail import followed_topics
from directory.engagement.voting import followed_products, own_votes
from directory.mail_kinds import KINDS, reader_of
from directory.models import MailChoice
from directory.reading import way_back
from directory.sites.lookup import current_site

Updates = MailChoice.Updates


@signed_in_page
def votes(request: HttpRequest) -> HttpResponse:
    """`/account/votes`: votes, those that do not count with the reason, and what is followed."""
    site, user_id = current_site(request), user_of(request).pk
    context = {
        "votes": own_votes(user_id=user_id, site=site),
        "followed": followed_products(user_id=user_id, site=site),
        "topics": followed_topics(user_id=user_id, site=site),
    }
    return render(request, "directory/account/votes.html", context)


@signed_in_form
def preferences(request: HttpRequest) -> HttpResponse:
    user_id = user_of(request).pk
    chosen = request.POST.get("updates", "")
    if chosen in Updates.values:
        follower_mail.choose(user_id=user_id, updates=chosen, at=timezone.now())
        for kind in KINDS.values():
            kind.choose(user_id=user_id, is_on=kind.column in request.POST, at=timezone.now())
        messages.success(request, "Saved.")
        return HttpResponseRedirect("/account/mail")
    context = {
        "choices": Updates.choices,
        "chosen": follower_mail.choice_of(user_id=user_id),
        "kinds": [(kind, kind.is_on(user_id=user_id)) for kind in KINDS.values()],
        "is_refused": request.method == "POST",
    }
    return render(
        request, "directory/account/mail.html", context, status=400 if context["is_refused"] else 200
    )


@csrf_exempt  # a mail program sends it, without cookies (RFC 8058); the signed link is what allows it
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """`/mail/stop/<token>`: says what it would do; a POST does it. Nobody has to sign in."""
    reader = reader_of(token, signer=follower_mail.SIGNER)
    if request.method == "POST":
        follower_mail.choose(user_id=reader.pk, updates=Updates.OFF, at=timezone.now())
    is_off = follower_mail.choice_of(user_id=reader.pk) == Updates.OFF
    return _secret(render(request, "directory/mail_stop.html", {"is_off": is_off}))


@csrf_exempt  # as above
@require_http_methods(["GET", "HEAD", "POST"])
def stop_kind(request: HttpRequest, name: str, token: str) -> HttpResponse:
    """`/mail/stop/<kind>/<token>`: the same for each other kind of mail."""
    kind = NotFoundError.unless(KINDS.get(name), "link")
    reader = kind.reader_of(token)
    if request.method == "POST":
        kind.choose(user_id=reader.pk, is_on=False, at=timezone.now())
    is_off = not kind.is_on(user_id=reader.pk)
    return _secret(render(request, "directory/mail_stop.html", {"is_off": is_off, "kind": kind}))


class WinnersForm(forms.Form):
    email = AddressField(
        label="Your e-mail address",
        max_length=LONGEST,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"required": "Type your e-mail address."},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def winners_by_mail(request: HttpRequest) -> HttpResponse:
    """`/winners`: anybody leaves an address, and is asked by mail whether it is theirs."""
    form = WinnersForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        status = 400 if request.method == "POST" else 200
        return render(request, "directory/winners.html", {"form": form}, status=status)
    winners.ask(
        site=current_site(request),
        email=form.cleaned_data["email"],
        network=throttling.network_caller(request),
        at=timezone.now(),
    )
    return render(request, "directory/winners.html", {"is_sent": True})


@require_http_methods(["GET", "HEAD", "POST"])
def confirm_winners(request: HttpRequest, token: str) -> HttpResponse:
    """`/winners/confirm/<token>`: the link of that mail. A press confirms, as programs open links as well."""
    if request.method == "POST":
        winners.confirm(token=token, at=timezone.now())
    reader = winners.reader_of(token)
    is_confirmed = reader is not None and reader.confirmed_at is not None
    return _secret(render(request, "directory/winners_confirm.html", {"is_confirmed": is_confirmed}))


@csrf_exempt  # as above
@require_http_methods(["GET", "HEAD", "POST"])
def stop_winners(request: HttpRequest, token: str) -> HttpResponse:
    """`/mail/stop/winners/<token>`: an address that has no account."""
    if request.method == "POST":
        winners.stop(token=token)
    is_off = winners.reader_of(token) is None
    return _secret(render(request, "directory/mail_stop.html", {"is_off": is_off, "is_winners": True}))


def _secret(response: HttpResponse) -> HttpResponse:
    """The address is the secret: no cache keeps it, no other site is told it, no index lists it."""
    response["Cache-Control"] = "private, no-store"
    response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex"
    return response


FULL = f"You follow {limits.TOPICS_FOLLOWED} makers and categories. Stop one of them in your account first."


@require_http_methods(["GET", "HEAD", "POST"])
def follow_founder(request: HttpRequest, slug: str) -> HttpResponse:
    return _follow(request, kind=topic_mail.FOUNDER, slug=slug, page=f"/founders/{slug}")


@require_http_methods(["GET", "HEAD", "POST"])
def follow_category(request: HttpRequest, slug: str) -> HttpResponse:
    """`/categories/<slug>/follow`: what launches in it and below it comes by mail, on Mondays."""
    return _follow(request, kind=topic_mail.CATEGORY, slug=slug, page=f"/categories/{slug}")


def _follow(request: HttpRequest, *, kind: str, slug: str, page: str) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(page)
    return _followed(request, kind=kind, slug=slug, page=page)


@signed_in
def _followed(request: HttpRequest, *, kind: str, slug: str, page: str) -> HttpResponse:
    if request.method != "POST":
        return HttpResponseRedirect(page)
    user, site = user_of(request), current_site(request)
    throttling.enforce("vote", caller=f"user:{user.pk}")
    is_followed = False
    if request.POST.get("do") == "unfollow":
        topic_mail.unfollow(kind=kind, slug=slug, user=user, site=site)
    else:
        is_followed = topic_mail.follow(kind=kind, slug=slug, user=user, site=site, at=timezone.now())
        if not is_followed:
            messages.warning(request, FULL)
    here = way_back(request, otherwise=page)
    if not request.headers.get("X-Part"):
        return HttpResponseRedirect(here)
    context = {
        "is_followed": is_followed,
        "path": page,
        "name": topic_mail.name_of(kind=kind, slug=slug),
        "back": here,
    }
    return render(request, "directory/parts/follow_topic.html", context)
