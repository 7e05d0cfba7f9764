"""Statistics by reader: over all reports for staff, over their own for anyone else."""
