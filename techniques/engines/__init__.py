"""Where a recipe runs. :mod:`techniques.engines.local` runs it on one machine, item by item."""
