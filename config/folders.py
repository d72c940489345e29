"""Media and backups in a folder of a disk, which may be full, or taken away in the middle of a file."""

import errno
import logging
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.files.storage import FileSystemStorage

from config.media import StorageAwayError

logger = logging.getLogger(__name__)
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO}
# of a disk that has none: there the last to come has the name
NO_LINKS = {errno.ENOSYS, errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK}


class Folder(FileSystemStorage):
    """A folder in which a file is there whole or not at all: whoever finds its name there takes it as it is."""

    def _save(self, name: str, content: Any) -> str:
        part = str(Path(name).with_name(f"{uuid.uuid4().hex}.part"))
        try:
            super()._save(part, content)  # type: ignore[misc]  # documented by Django
            name = self._give_name(part, name)
        except OSError as error:
            if error.errno not in NO_ROOM:
                raise
            logger.warning("files cannot be stored", extra={"folder": self.location, "reason": str(error)})
            raise StorageAwayError(str(error)) from error
        finally:
            with suppress(OSError):
                self.delete(part)  # what was cut short, also by a job's end of time
        return name

    def _give_name(self, part: str, name: str) -> str:
        """Let a whole file have its name, or another where somebody took that just now. Gives the name it has."""
        while True:
            try:
                Path(self.path(name)).hardlink_to(self.path(part))
            except FileExistsError:
                name = self.get_available_name(name)
            except OSError as error:
                if error.errno not in NO_LINKS:
                    raise
                Path(self.path(part)).replace(self.path(name))
                return name
            else:
                return name
