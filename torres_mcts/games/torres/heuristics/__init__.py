"""Rules of thumb for Torres: what a position is worth, and what to do without thinking long."""
