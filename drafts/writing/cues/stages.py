"""Words by which a site says that its product is not finished yet."""

from drafts.languages import Shape

STAGE = Shape(r"{stage}")
