"""What every game and every search stands on: kernels, bits, random numbers, menus, the protocol."""
