"""The board game Torres: rules, positions and notation for people; kernels in `engine`."""
