"""Finding identifiers (GB/T 37964 5.3): the look-up of names, the rules over every row, and the
scan of a finished result for identifiers that are still in it (5.5.2 a).

Import the module that answers the question: :mod:`kinds` the vocabulary, :mod:`metadata` the
look-up table, :mod:`rules` the scan, :mod:`verdict` the suggestion per column, :mod:`residual`
the check of a result.
"""
