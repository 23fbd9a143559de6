"""Differential privacy in server mode (GB/T 37964-2019 B.2.2): the data stay, answers leave with noise, and an account keeps what was spent."""
