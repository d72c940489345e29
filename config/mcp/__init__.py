"""Every operation as a tool of one MCP endpoint, with no line of code for any one of them."""
