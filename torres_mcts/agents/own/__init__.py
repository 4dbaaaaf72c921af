"""Agents that users write: found in a Python file or in an installed package, and run in a process of their own."""
