"""Recognise and clean what people upload; no Django here.

`genres.reconnaitre` says what bytes are; `processus.nettoyer` writes a file without its metadata, the work done by a
child process (`enfant`) that is bounded in memory, time and output, since the libraries meet hostile bytes there.
Modules that the child imports stay light: its start is paid by each upload.
"""
