# The first is the one that a form shows.
TIME_INPUT_FORMATS = ["%H:%M:%S", "%H:%M", "%Hh%M", "%H h %M", "%Hh", "%H h"]
THOUSAND_SEPARATOR = "\u202f"
