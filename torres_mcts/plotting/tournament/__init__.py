"""Pictures of tournaments: each a figure and the data behind it."""
