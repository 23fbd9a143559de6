"""What was found wrong and is put right: deviations with an owner, a day, a corrective action and a check of its effect."""
