"""What a result may be called: de-identified, anonymised (relative) or aggregated, by rule from what is known of it
(T/ISC 0078 5.1 a, 5.1 c; GB/T 37964 3.5)."""
