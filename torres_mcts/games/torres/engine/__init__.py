"""The rules of Torres as kernels on one record: trusted input, no checks, no strings."""
