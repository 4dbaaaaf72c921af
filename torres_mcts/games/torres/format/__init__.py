"""The position file and the notation of actions: model, reading with every check, writing."""
