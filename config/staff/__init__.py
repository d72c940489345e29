"""What of the back office belongs to no single area: its menu, the start page, finding, the audit log."""
