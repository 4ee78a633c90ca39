"""What the programs beside this file have in common: the values that they are given, and a line per call."""
import json
import sys

VALUES = json.loads(sys.argv[1])


def call(name, function, *args, **kwargs):
    """Prints how the call went, and gives its value (None when it failed)."""
    try:
        value = function(*args, **kwargs)
        print(f"{name} -> {'nothing' if value is None else type(value).__name__}")
        return value
    except Exception as failure:  # whatever a client raises is a result here
        print(f"{name} !! {type(failure).__name__}: {str(failure).splitlines()[0] if str(failure) else ''}")
        return None
