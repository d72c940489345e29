"""Words by which a text speaks of the company itself."""

import re

ORGANISATION = (
    r"company|firm|project|startup|start-up|studio|agency|team|practice|shop|business|family "
    r"business|brewery|school|club|"
    r"association|foundation|cooperative|institute|unternehmen|firma|praxis|kanzlei|laden|"
    r"werkstatt|verein|genossenschaft|"
    r"stiftung|agentur|projekt|entreprise|soci[ée]t[ée]|maison|cabinet|agence|coop[ée]rative|"
    r"boutique|atelier|projet|empresa|"
    r"estudio|proyecto|tienda|cooperativa|agencia|fundaci[óo]n|est[úu]dio|projeto|loja|ag[êe]ncia|"
    r"azienda|societ[àa]|studio|"
    r"progetto|bottega|agenzia|bedrijf|praktijk|winkel|stichting|bureau|spółka|przychodnia|sklep|"
    r"fundacja|společnost|podnik|"
    r"компания|проект|студия|мастерская|магазин|команда"
)
US = re.compile(
    r"\b(?:we|our|us|i|my|wir|unser\w*|uns|ich|nous|notre|nos|je|nuestr\w+|nosotros|somos|"
    r"noss[ao]\w*|n[óo]s|noi|nostr\w+|siamo|"
    r"wij|we|ons|onze|ik|nasz\w*|jeste\w+|jsme|naše\w*|мы|наш\w*|" + ORGANISATION + r")\b"
    r"|当社|弊社|私たち|会社|公司|我们|本社|저희|우리|회사",
    re.IGNORECASE,
)
