"""The parts of an analysis: candidates, hidden cards, samples, words."""
