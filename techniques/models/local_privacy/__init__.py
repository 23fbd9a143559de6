"""Differential privacy in local mode (GB/T 37964-2019 B.2.3): each value is randomised by the person's own device before it leaves.

:mod:`client` is what the device does, in the standard library alone, so that a program may take the file as it is; a browser
does the same, draw for draw, with ``static/kits/local_privacy.js``. :mod:`estimates` is what can be said of many answers.
"""
