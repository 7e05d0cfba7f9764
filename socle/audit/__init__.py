"""The register of what staff do: who, what, when, from where; rows are only ever added, and sealed in a chain.

Acts are written in their own transaction (`consigner`). Reads are handed to a thread that writes them together, a
fifth of a second later at most (`consulter`, `montrer`): a read costs no write, and a process that is killed loses
that fifth of a second. Where they cannot be written, staff are refused: nothing is read unseen for long.

`sceaux` gives each batch of rows a number and a keyed hash that includes the one before: a row that was changed, taken
away or slipped in shows in `manage.py audit verify`. `protection` has the database itself refuse changes.
"""
