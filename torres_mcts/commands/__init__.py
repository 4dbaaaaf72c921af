"""The commands, one file each: parse, call, save, print."""
