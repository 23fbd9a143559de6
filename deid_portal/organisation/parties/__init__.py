"""The register of organisations: who carries processing out, who receives results, and whose agreements they are (T/ISC 0078 8.1)."""
