"""The page in the browser: its documents, its server, and the people who play through it."""
