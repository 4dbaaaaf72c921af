"""What a study's blocks say: estimates by jackknife, paired differences, tests over a whole table."""
