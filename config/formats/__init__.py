"""How dates and times are written where no template says so, as in the back office."""
