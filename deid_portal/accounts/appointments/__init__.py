"""Who holds which post from when until when (GB/T 37964 6.1): given by one administrator, confirmed by a second."""
