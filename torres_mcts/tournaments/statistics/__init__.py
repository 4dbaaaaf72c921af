"""What results say: estimates over blocks, ratings, early stopping, tables and plans; nothing here plays a game."""
