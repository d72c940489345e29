"""Any number of combined listings, and how they are copied into a database."""
