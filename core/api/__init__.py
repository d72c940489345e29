"""The kernel of the API: operations declared once, what they take and answer, and how they refuse."""
