"""Write a draft from the site's own words by rules alone: no model, no key, no network."""
