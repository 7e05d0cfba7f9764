"""The numbers that a person may read: staff of all reports, anyone else of their own."""
