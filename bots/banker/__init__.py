"""The banker and the market: negotiators that trade supports for credit."""
