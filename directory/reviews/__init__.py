"""Reviews and questions of products: written by people on the pages, by no program."""
