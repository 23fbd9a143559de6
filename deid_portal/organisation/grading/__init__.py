"""What each grade of data asks for, as the organisation has decided it: sharing types, the smallest k, an impact assessment."""
