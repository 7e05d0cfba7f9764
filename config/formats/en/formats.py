from config.formats.fr.formats import TIME_INPUT_FORMATS as A_LA_FRANCAISE

TIME_INPUT_FORMATS = [*A_LA_FRANCAISE, "%I:%M %p", "%I:%M%p", "%I %p", "%I%p"]
