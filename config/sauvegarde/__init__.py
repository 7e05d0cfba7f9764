"""Backups: the base by its own tools, the local files, and what proves both; and the way back.

`manifeste` says what a backup holds and checks it, `faire` makes one, `remettre` puts one back. Secrets are never in
it: their fingerprints are, so that a backup is not put back under other keys, which would open nobody's case.
"""
