"""The team's first page: its numbers, their drawings, and the fragment that its script reloads."""
