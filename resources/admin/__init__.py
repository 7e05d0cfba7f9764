"""The admin pages of help, of the library, and of files, in the order of its first page."""

from resources.admin import aide, bibliotheque, fichiers  # noqa: F401 -- they register themselves
