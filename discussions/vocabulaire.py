from datetime import timedelta

USER = "USER"
TYPES_CONNUS = (USER,)
PIECE_DE_MESSAGE = "message"
APERCU = 200  # characters of the latest message in a summary
RECUS_ANNONCES = 100  # messages of one reading that are announced, the latest ones
DOUBLE_CLIC = timedelta(minutes=1)  # within which the same act again is the same
