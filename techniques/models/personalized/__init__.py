"""Personalized (α,l)-diversity k-anonymity (Cao et al. 2018, doi 10.11896/j.issn.1002-137X.2018.11.028).

:mod:`sensitivity` has the levels and the tree of a sensitive attribute and the rule of personal levels, :mod:`measures` what is
lost and recognised. Classes are formed by the paper's own :mod:`top_down` or, finer and faster, by local recoding
(:mod:`forming` has both); :mod:`experiment` runs the paper's comparison again.
"""
