"""Who acts on whose behalf (GB/T 37964 6.1): named by the holder of a post or an administrator, confirmed by another person."""
