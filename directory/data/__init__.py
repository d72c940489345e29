"""What an installation can begin with: categories and demo content, as files with small loaders."""
