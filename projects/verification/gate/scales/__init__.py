"""Degree, level and overall risk: three scales for one result with the risk by entropy, side by side; beside the gate, no part of it; a degree below 1 takes a reason
to be released."""
