"""Attacks that are carried out on a result: whom an insider finds, whom a predicate singles out, what is inferred (5.5.2 d, e)."""
