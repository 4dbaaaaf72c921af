"""Searches over whole turns."""
