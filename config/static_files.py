"""Static files with hashed names, compressed, and no failure over a missing one."""

from collections.abc import Iterable, Iterator

from whitenoise.storage import CompressedManifestStaticFilesStorage


class Storage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage; without a manifest (tests, first start) names stay as they are."""

    manifest_strict = False
    support_js_module_import_aggregation = True  # one script imports another by its hashed name

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Those of hashed names, by which pages ask: the others are the same files once more."""
        yield from super().compress_files(set(paths).intersection(self.hashed_files.values()))

    def stored_name(self, name: str) -> str:
        """The hashed name of a collected file, the plain one of any other."""
        is_collected = self.hash_key(self.clean_name(name)) in self.hashed_files
        return super().stored_name(name) if is_collected else name
