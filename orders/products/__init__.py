"""What is sold: one file a product. What one costs is in rows that staff add."""

from core.parts import load
from orders.products.base import NOW, PUBLIC, CartContext, CartItem, Effect, Option, Price, Product, Spot

PRODUCTS: dict[str, Product] = {}  # by code, in the interface's order; filled when the app is ready


def product_choices() -> list[tuple[str, str]]:
    return [(code, product.name) for code, product in PRODUCTS.items()]


def load_products() -> None:
    """Fill `PRODUCTS` from the files of this folder."""
    PRODUCTS.update({code: product() for code, product in load(__name__, Product).items()})
