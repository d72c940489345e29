"""Words by which a text speaks of the company itself."""

from drafts.languages import Shape

US = Shape(r"{we}", r"{organisation}")
LEGAL_FORM = (
    r"(?:GmbH(?: & Co\.? KG)?|UG(?: \(haftungsbeschränkt\))?|AG|KG|e\.? ?K\.?|SE|Ltd\.?|Limited|LLC|LLP|PBC|"
    r"Inc\.?|Corp\.?|Corporation|Co\.?|S\.?A\.?|S\.?r\.?l\.?s?\.?|S\.?p\.?A\.?|S\.?A\.?S\.?|S\.?A\.?R\.?L\.?|"
    r"S\.?L\.?U?\.?|B\.?V\.?|N\.?V\.?|Lda\.?|Ltda\.?|s\.?r\.?o\.?|a\.?s\.?|sp\. ?z ?o\.? ?o\.?|OÜ|Oy|AB|ApS|A/S|AS|"
    r"(?:Sdn\.? )?Bhd\.?|ehf\.?|d\.o\.o\.|Kft\.?|SIA|UAB|Pty\.?(?: Ltd\.?)?|株式会社|有限公司)"
)
"""What follows a company's name and makes it one; written as it is registered, whatever the language."""
COMPANY = Shape(rf"(?<=[\w,] ){LEGAL_FORM}(?![\w-])", flags=0)
