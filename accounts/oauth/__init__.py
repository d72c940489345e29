"""The OAuth 2.1 authorization server: django-oauth-toolkit, with what it leaves to us."""
