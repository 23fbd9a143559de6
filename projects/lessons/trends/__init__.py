"""A year in quarters: releases, risks, findings, incidents, re-assessments and how long decisions took."""
