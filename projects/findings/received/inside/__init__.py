"""Samples of what a recipient sees in an enclave: drawn and read on the server, looked at under the limits of the enclave's view."""
