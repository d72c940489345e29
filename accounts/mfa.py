"""The second factor: allauth's, with a picture that our content security policy shows."""

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings

from accounts.models import User


class MFAAdapter(DefaultMFAAdapter):
    """Draws the secret as an element of the page, as the policy takes no data addresses."""

    def build_totp_svg(self, url: str) -> str:
        import qrcode  # noqa: PLC0415  (4 MB in each process, with Pillow's fonts, for a page that few see)
        from qrcode.image.svg import SvgPathImage  # noqa: PLC0415

        return str(qrcode.make(url, image_factory=SvgPathImage).to_string(encoding="unicode"))


def lacks_second_factor(user: User) -> bool:
    """Whether a member of staff has to turn on a second factor before the back office opens."""
    return settings.STAFF_SECOND_FACTOR and not is_mfa_enabled(user, [Authenticator.Type.TOTP])
