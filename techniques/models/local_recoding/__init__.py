"""Local recoding (GB/T 37964 A.5, B.1.1): a value may be generalised in one class and stay in another.

:mod:`shapes` has the cost of a class that covers several values of a column, by hierarchy, as an interval or as a
set; :mod:`peeling` forms classes from fine to coarse, :mod:`moving` improves them row by row,
:mod:`recoding` leads both and writes the labels.
"""
