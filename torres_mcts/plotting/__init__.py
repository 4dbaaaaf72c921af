"""Pictures and coloured text of positions and results; nothing here plays or searches."""
