"""HTTP doors of the orders area."""

from django.utils import timezone
from rest_framework.request import Request

from core.caching import Public
from core.operations import OperationViewSet, operation
from directory.selectors.sites import current_site
from orders import selectors
from orders.serializers import ProductListOut


class ProductViewSet(OperationViewSet):
    """What is for sale."""

    @operation(returns=ProductListOut, cache=Public(stamps=("listings", "products")))
    def list_products(self, request: Request) -> selectors.ProductList:
        """List what can be bought, with prices before VAT, the weeks on sale and each product's options."""
        return selectors.product_list(site=current_site(request), at=timezone.now())
