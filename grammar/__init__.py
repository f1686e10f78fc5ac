"""The DAIDE language: tokens, press levels and typed messages."""
