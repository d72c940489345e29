"""The files of a document: a PDF that holds its structured twin (Factur-X), and UBL for Peppol."""
