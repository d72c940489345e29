"""A TXT record at the host or above it."""

import time
from collections.abc import Iterable
from dataclasses import replace

import dns.exception
import dns.nameserver
import dns.resolver
from django.conf import settings

from claims.methods.base import CheckResult, Instructions, Method, Target
from claims.reach import Host
from core.api.serializers import Shape, Str
from core.fetch import FetchError, is_public, make_resolver, resolve_host

NAME_SERVERS = 4
LEFT_FOR_ZONE = 1.0


class ClaimDnsRecordOut(Shape):
    """A DNS record to publish."""

    type = Str("TXT.")
    name = Str("Where the record goes.")
    value = Str("What it says, exactly.")


class DnsRecord(Method):
    """Covers every host of the domain; changing records is the most that an owner can do."""

    code, position, strength = "dns", 10, 3
    works_on = frozenset({Host.OWN, Host.FREE_MAIL})
    label, noun, icon = "DNS record", "DNS", "globe"
    hint = "You can change the domain’s records. Covers subdomains too."
    summary = "a TXT record"
    answer, shape = "record", ClaimDnsRecordOut

    def publish(self, target: Target) -> Instructions:
        name = f"_plverify.{target.reach.bare}"
        return Instructions(
            summary=f"Add a TXT record at {name} that says {target.line}. Leave other records as they are. "
            "A new record can take an hour to spread. Leave it there: we look again from time to time.",
            values={"type": "TXT", "name": name, "value": target.line},
            lines={"Type": "TXT", "Name": name, "Value": target.line},
            hint="Some providers add the domain themselves. If yours does, leave the domain out of the name.",
        )

    def find_proof(self, target: Target, *, seconds: float) -> CheckResult:
        """What resolvers know first, then what the zone's own servers say."""
        ends = time.monotonic() + seconds
        result = _read_records(target, make_resolver(), ends=ends)
        if result.is_proof or settings.DNS_SERVERS:
            return result
        if (zone := zone_servers(target.reach.domain, ends=ends)) is None:
            return result
        again = _read_records(target, zone, ends=ends)
        return again if again.result in {"found", "mismatch"} else result


def _read_records(target: Target, resolver: dns.resolver.Resolver, *, ends: float) -> CheckResult:
    return _pick(target, [_query(name, resolver, ends=ends) for name in target.reach.dns_names])


def _query(name: str, resolver: dns.resolver.Resolver, *, ends: float) -> CheckResult:
    """What a name has: its records are in `texts`, each with its strings joined."""
    try:
        left = max(ends - time.monotonic(), 0.05)
        answer = resolver.resolve(f"{name}.", "TXT", search=False, raise_on_no_answer=False, lifetime=left)
    except dns.resolver.NXDOMAIN:
        return CheckResult(
            result="not_found", detail=f"There is no record at {name}.", raw=f"{name} TXT: NXDOMAIN"
        )
    except dns.exception.Timeout as error:
        return CheckResult(
            result="timeout", detail=f"No name server answered for {name} in time.", raw=str(error)
        )
    except dns.exception.DNSException as error:
        detail = f"The name servers gave no usable answer for {name}."
        return CheckResult(result="unreachable", detail=detail, raw=str(error))
    texts = tuple(b"".join(record.strings).decode("utf-8", "replace") for record in answer)
    raw = f"{name} TXT: {answer.rrset or 'no such record'}"
    return CheckResult(result="mismatch" if texts else "not_found", detail=name, texts=texts, raw=raw)


def _pick(target: Target, answers: list[CheckResult]) -> CheckResult:
    """A result out of the answers for each name: the record, then another value, then nothing, then no answer."""
    raw = "\n".join(answer.raw for answer in answers)
    for answer in answers:
        if target.line in (text.strip() for text in answer.texts):
            detail = f"The record is at {answer.detail}."
            return CheckResult(result="found", detail=detail, texts=(target.line,), raw=raw)
    texts = [text for answer in answers for text in answer.texts]
    if texts:
        where = next(answer.detail for answer in answers if answer.texts)
        ours = [text for text in texts if "plverify" in text.lower()]
        detail = (
            _other_value(where, ours, target)
            if ours
            else f"{where} has {len(texts)} TXT records, none of them ours."
        )
        return CheckResult(result="mismatch", detail=detail, texts=tuple(ours or texts), raw=raw)
    for result in ("timeout", "unreachable"):
        if failed := next((answer for answer in answers if answer.result == result), None):
            return replace(failed, raw=raw)
    name = target.reach.dns_names[0]
    detail = f"We asked for {name} and got no TXT record. A new one can take an hour to spread."
    return CheckResult(result="not_found", detail=detail, raw=raw)


def _other_value(where: str, texts: Iterable[str], target: Target) -> str:
    is_cut = any(target.line.startswith(text.strip()) for text in texts)
    return f"{where} has another value.{' It looks cut off.' if is_cut else ''}"


def zone_servers(domain: str, *, ends: float) -> dns.resolver.Resolver | None:
    """The servers that speak for a domain; only those at public addresses are ever sent anything."""
    if ends - time.monotonic() < LEFT_FOR_ZONE:
        return None
    try:
        names = make_resolver().resolve(f"{domain}.", "NS", search=False, lifetime=ends - time.monotonic())
        addresses = [
            address
            for record in list(names)[:NAME_SERVERS]
            for address in resolve_host(
                record.target.to_text(omit_final_dot=True), seconds=ends - time.monotonic()
            )[:1]
        ]
    except (dns.exception.DNSException, FetchError):
        return None
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers = [
        dns.nameserver.Do53Nameserver(str(address)) for address in addresses if is_public(address)
    ]
    return resolver if resolver.nameservers else None
