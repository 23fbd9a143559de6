"""The cryptographic techniques of GB/T 37964 A.2: ciphers over whole columns, and the operations that use them."""
