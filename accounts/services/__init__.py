"""The acts on accounts: sessions, passwords, invitations, the accounts themselves, preferences."""
