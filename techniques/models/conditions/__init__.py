"""Privacy conditions of an equivalence class on a sensitive attribute (GB/T 37964 B.1.2, B.1.3), as a search uses them.

Each condition is a file: whether a class holds it (``holds``), and how many rows of a class that breaks it a finer table
may keep (``rows_kept``). :mod:`judging` has their list, :mod:`values` their view of a class. How far a finished table
holds them is measured by :mod:`techniques.disclosure_risk.diversity`, which shares nothing with this package on purpose.

A condition must hold for a union of classes that hold it: local recoding puts classes together, and a class that breaks
one must break it in every finer table too, at least in part. The search prunes with that.

A missing value may be any value. A condition has to hold whichever it is, and also if it is a value of its own. In l it
counts as the most frequent value of its class; in t those of the class and those elsewhere count as two values as far
apart as values can be.
"""
