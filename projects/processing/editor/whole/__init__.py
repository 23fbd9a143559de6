"""The whole result of a draft: carried out on the whole table as a job, measured, and a few of its rows shown masked."""
