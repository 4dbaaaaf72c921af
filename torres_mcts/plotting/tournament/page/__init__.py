"""The HTML report of a tournament."""
