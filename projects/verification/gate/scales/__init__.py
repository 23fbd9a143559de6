"""Degree, level and overall risk: three scales for one result, side by side; information beside the gate, no part of it."""
