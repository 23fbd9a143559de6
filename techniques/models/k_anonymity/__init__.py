"""K-anonymity (GB/T 37964 B.1.1): full-domain generalisation with suppression up to a limit (A.3.5).

:mod:`problem` holds the table of distinct combinations and the lookup tables of the hierarchies,
:mod:`loss` what a solution costs, :mod:`search` finds the cheapest, :mod:`operation` carries it out.
"""
