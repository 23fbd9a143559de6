"""Risk across releases (GB/T 37964 annex D): what several outputs tell together that none of them tells alone."""
