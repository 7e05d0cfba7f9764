"""The acts on files and on the resources of the library."""
