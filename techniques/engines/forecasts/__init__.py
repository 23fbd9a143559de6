"""What a run is going to do to the risk and to take of the machine, found before it is run."""
