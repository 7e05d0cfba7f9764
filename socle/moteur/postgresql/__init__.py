"""Django's PostgreSQL backend, whose connections wait for a limited time."""
