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
from core.outages import Bulkhead, ServiceAwayError, in_request

MEDIA = Bulkhead("The bucket", seconds=3.0, wait=0.5)  # a page has many pictures, each takes milliseconds
IN_REQUEST = Config(connect_timeout=1, read_timeout=2, retries={"total_max_attempts": 1, "mode": "standard"})
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

    @property
    def connection(self) -> Any:
        """A connection of this thread: of a request one that soon gives up, of a job one that tries again."""
        if not in_request():
            return super().connection
        if not hasattr(self._connections, "in_request"):
            self._connections.in_request = self._create_session().resource(
                "s3",
                region_name=self.region_name,
                use_ssl=self.use_ssl,
                endpoint_url=self.endpoint_url,
                config=self.client_config.merge(IN_REQUEST),
                verify=self.verify,
            )
        return self._connections.in_request

    @property
    def bucket(self) -> Any:
        return self.connection.Bucket(self.bucket_name)

    def exists(self, name: str) -> bool:
        with _in_our_words(name):
            return bool(super().exists(name))

    def delete(self, name: str) -> None:
        with _in_our_words(name):
            super().delete(name)

    def listdir(self, name: str) -> tuple[list[str], list[str]]:
        with _in_our_words(name):
            folders, files = super().listdir(name)
        return folders, files

    def _save(self, name: str, content: Any) -> str:
        with _in_our_words(name):
            return str(super()._save(name, content))

    def url(self, name: str, *args: Any, **kwargs: Any) -> str:
        return f"{settings.MEDIA_URL}{name}"

    def get_modified_time(self, name: str) -> datetime:
        with _in_our_words(name):
            result: datetime = super().get_modified_time(name)
        return result

    def _open(self, name: str, mode: str = "rb") -> S3File:
        with _in_our_words(name):
            file = super()._open(name, mode)
            return file.open() if "r" in mode else file  # so that it fails here or not at all


@contextmanager
def _in_our_words(name: str) -> Iterator[None]:
    """As with a folder: what is not there is FileNotFoundError, any other fault is the storage's."""
    try:
        with MEDIA.place():
            yield
    except ServiceAwayError as error:
        raise StorageAwayError(f"The bucket is not asked: {error}") from error
    except ClientError as error:
        if error.response["ResponseMetadata"]["HTTPStatusCode"] == 404:
            raise FileNotFoundError(name) from error
        raise StorageAwayError(f"The bucket refuses: {error}") from error
    except BotoCoreError as error:
        raise StorageAwayError(f"The bucket does not answer: {error}") from error
