#!/usr/bin/env python
"""Django's command line for the portal."""

from deid_portal.__main__ import main

if __name__ == "__main__":
    main()
