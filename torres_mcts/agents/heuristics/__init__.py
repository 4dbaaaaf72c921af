"""Agents with a character: each plans whole turns by a taste of its own, a module each."""
