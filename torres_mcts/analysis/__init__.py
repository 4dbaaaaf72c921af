"""A position (or the engine itself) in, a report out."""
