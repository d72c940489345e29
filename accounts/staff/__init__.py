"""What the back offices of all areas share: rights, the audit log, the frame of lists and pages."""
