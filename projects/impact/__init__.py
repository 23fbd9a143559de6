"""The assessment of what a release does to the persons concerned, before it goes out (PIPL 55, 56), with separate consent and
the check of a transfer abroad."""
