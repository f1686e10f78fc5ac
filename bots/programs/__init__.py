"""Bots of any language: a program that reads and writes DAIDE text, a message a line."""
