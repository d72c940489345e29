"""Static files with hashed names, compressed, and no failure over a missing one."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class Storage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage; without a manifest (tests, first start) names stay as they are."""

    manifest_strict = False
