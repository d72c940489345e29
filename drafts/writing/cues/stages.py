"""Words by which a site says that its product is not finished yet."""

import re

STAGE = re.compile(
    r"\b(?:public|open|private|closed|free|early) (?:beta|alpha)\b|\b(?:is|are|still|currently|"
    r"now) in (?:\w+ )?"
    r"(?:beta|alpha|early access)\b|\bearly[- ]access\b|\bbeta[- ](?:phase|version|test|testers?|program)\b|"
    r"\bin der beta(?:phase)?\b|\ben (?:version )?b[êe]ta\b|\ben (?:fase )?beta\b|\bem (?:fase )?beta\b|"
    r"\bin (?:fase )?beta\b|\bw wersji beta\b|\bв бета|ベータ版|公测|内测|测试版|베타",
    re.IGNORECASE,
)
