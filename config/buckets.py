"""Media and backups in an S3-compatible bucket. Django imports this only where one is named."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from storages.backends.s3 import S3File, S3Storage

from config.media import StorageAwayError

IN_MEMORY = 8 * 2**20  # what is larger is read by way of a temporary file


class Bucket(S3Storage):
    """A bucket that only we read: its media are shown by `/media/` of the site, as those of a folder are."""

    def __init__(self, **options: Any) -> None:
        usual = {
            "client_config": Config(
                connect_timeout=5,
                read_timeout=30,
                retries={"max_attempts": 4, "mode": "standard"},
                request_checksum_calculation="when_required",  # most of those that are not Amazon's know no other way
                response_checksum_validation="when_required",
                s3={"addressing_style": options.get("addressing_style", "auto")},
            ),
            "default_acl": None,
            "file_overwrite": False,
            "max_memory_size": IN_MEMORY,
        }
        super().__init__(**usual | options)

    def url(self, name: str, *args: Any, **kwargs: Any) -> str:
        """Our own address of a file."""
        return f"{settings.MEDIA_URL}{name}"

    def get_modified_time(self, name: str) -> datetime:
        with _in_our_words(name):
            found: datetime = super().get_modified_time(name)
        return found

    def _open(self, name: str, mode: str = "rb") -> S3File:
        with _in_our_words(name):
            file = super()._open(name, mode)
            return file.open() if "r" in mode else file  # so that it fails here or not at all


@contextmanager
def _in_our_words(name: str) -> Iterator[None]:
    """As with a folder: what is not there is FileNotFoundError, any other fault is the storage's."""
    try:
        yield
    except ClientError as error:
        if error.response["ResponseMetadata"]["HTTPStatusCode"] == 404:
            raise FileNotFoundError(name) from error
        raise StorageAwayError(f"The bucket refuses: {error}") from error
    except BotoCoreError as error:
        raise StorageAwayError(f"The bucket does not answer: {error}") from error
