"""Pictures of the demo, drawn by these programs from the words of `content/pictures.json`: no photograph, no stock."""
