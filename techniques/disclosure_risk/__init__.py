"""Risk of re-identification, measured on a table as it stands (GB/T 37964 annex B.1.4).

:mod:`classes` groups the rows, :mod:`measure` computes the figures, :mod:`attackers` the formulas
of the three attackers, :mod:`environment` the attack's probability, :mod:`degree` the degree of
anonymisation of T/ISC 0078, :mod:`explain` says it in words. No code is shared with the search that made the table
k-anonymous: an error there cannot hide itself here.
"""
