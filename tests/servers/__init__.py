"""Loopback stand-ins with real sockets for everything outside."""
