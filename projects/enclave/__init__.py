"""Queries over what was released in an enclave (GB/T 37964 3.14): run on the server, seen within the portal, fetched by nobody."""
