"""Erasure of a person, the copies it reaches, and the log that a restored backup is held to."""
