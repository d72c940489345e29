"""`manage.py create_promo_code CODE (--percent N | --amount-cents N) [--max-uses N] [--from TIME] …`."""

from argparse import ArgumentParser
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from core.commands import moment
from orders import promos


class Command(BaseCommand):
    help = "Make a promo code that takes a percentage or an amount off; it counts exactly as typed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code")
        off = parser.add_mutually_exclusive_group(required=True)
        off.add_argument("--percent", help="0.01 to 100")
        off.add_argument("--amount-cents", type=int)
        parser.add_argument("--max-uses", type=int, help="by everybody together")
        parser.add_argument("--max-per-user", type=int)
        parser.add_argument("--from", dest="starts_at", type=moment, help="RFC 3339 time")
        parser.add_argument("--until", dest="ends_at", type=moment, help="RFC 3339 time")
        parser.add_argument("--products", default="", help="comma-separated product codes; default: all")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            promo = promos.create_promo_code(
                code=options["code"],
                percent=None if options["percent"] is None else Decimal(options["percent"]),
                amount_cents=options["amount_cents"],
                at=timezone.now(),
                max_uses=options["max_uses"],
                max_per_user=options["max_per_user"],
                starts_at=options["starts_at"],
                ends_at=options["ends_at"],
                products=[code.strip() for code in options["products"].split(",") if code.strip()],
            )
        except InvalidOperation as error:
            raise CommandError(f"{options['percent']} is not a percentage.") from error
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(f"{promo.code}: {promos.description_of(promo)}")
