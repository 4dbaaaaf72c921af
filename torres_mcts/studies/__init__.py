"""Questions answered by playing many games."""
