"""Searches that know no game: they run on the verbs of `core.protocol`."""
