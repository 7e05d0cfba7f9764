"""English of a campus that does not speak it first: day, month, year, and hours as everybody here reads them."""

from config.formats.fr.formats import TIME_INPUT_FORMATS as A_LA_FRANCAISE

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i"
MONTH_DAY_FORMAT = "j F"
YEAR_MONTH_FORMAT = "F Y"
SHORT_DATE_FORMAT = "d/m/Y"
SHORT_DATETIME_FORMAT = "d/m/Y H:i"
FIRST_DAY_OF_WEEK = 1

# The first of each is the one that a form shows: a day is read as it is written.
DATE_INPUT_FORMATS = ["%d/%m/%Y", "%d/%m/%y", "%d %B %Y", "%d %b %Y"]
DATETIME_INPUT_FORMATS = ["%d/%m/%Y %H:%M:%S", "%d/%m/%Y %H:%M"]
TIME_INPUT_FORMATS = [*A_LA_FRANCAISE, "%I:%M %p", "%I:%M%p", "%I %p", "%I%p"]
