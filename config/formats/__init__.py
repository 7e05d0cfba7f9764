"""Formats in which people write hours in our forms, by language: Django looks here before its own formats."""
