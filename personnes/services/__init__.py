"""What becomes of a person: the erasure, the copies it reaches, and the log that a restored backup is held to."""
