"""Django's PostgreSQL backend with a time limit on each wait of a connection."""
