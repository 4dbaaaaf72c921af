"""Pictures of studies: each a figure and the data behind it."""
