"""Files, and the library."""
