"""Every type of page once, in one small directory that has something of each, for all proofs about pages."""
