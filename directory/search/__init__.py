"""Finding listings: by words, by filters, or by looking through them in an order."""
