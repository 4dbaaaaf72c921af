"""Searches that grow a tree over single actions."""
