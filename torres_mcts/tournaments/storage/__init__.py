"""Where results are kept: a database file that survives every interruption, in a folder of its own."""
