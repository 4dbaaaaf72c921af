"""The file of a study: read, checked, and every mistake said with its line."""
