"""A game and a way to choose."""
