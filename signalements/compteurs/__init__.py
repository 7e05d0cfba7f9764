"""Counter rows by cell: each change of a report appends deltas, and every number is a sum that counts no report.

`cellules`: what a report counts for. `suivi`: the context managers around every change, which append the difference it
makes. `pliage`: the deltas of a cell folded into one row. `lectures`, `reserves`, `listes`: the sums, what reserved
reports add to them for one reader, total and offset of the team's lists. `recompte`: the proof, and the repair.

`signalements.comptees`, the counted columns and the guard that refuses to write one uncounted, is not in this package:
`models` and `querysets` are built on it, and all of this on them.
"""

# Which base needs this: one that may grow to hundreds of thousands of reports. GROUP BY and COUNT(*) grow with their
# table, about 40 times from 10 000 reports to a million, where what reads these sums grows at most 2.4 times
# (docs/performance.md): at a million, counting case by case does not hold. A base of some ten thousand reports could do
# so; there the counters cost it a row or two a change. Deltas, and no counter that each change updates: all changes
# would queue for its row (docs/decisions/0005-compteurs.md).
