"""What no arguments, or no result, can be made of."""


class Unfit(Exception):
    """Its message names no value."""
