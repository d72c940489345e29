"""What an accountant needs of the documents: finding them, returns by quarter, files to take along."""
