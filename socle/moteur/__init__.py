"""Engine room: what knows how Django, DRF and psycopg do their work; `README.md` lists what it takes from them."""
