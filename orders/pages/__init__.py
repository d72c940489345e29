"""HTML doors of orders: checkout, a person's orders, and what can be bought for a listing."""
