"""What the pictures of tournaments and of studies share: a frame, marks, and files for whatever applies."""
