"""RandomBot: any legal orders, and offers by lot."""
