"""Who plans a project after its planning manager: handed over by senior management or an administrator, so that none is left alone."""
