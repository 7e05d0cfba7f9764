"""The team's first page: its numbers, their drawings, and what the script of the page asks for."""
