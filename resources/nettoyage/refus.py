"""Reasons to refuse a file: the words that the child sends back, one motive each."""

ILLISIBLE = "illisible"
CHIFFRE = "chiffre"
TROP_DE_PIXELS = "trop_de_pixels"
TROP_D_IMAGES = "trop_d_images"
TROP_D_OBJETS = "trop_d_objets"
TROP_DIVERS = "trop_divers"  # a document holds a kind of file that nothing here cleans
TROP_DE_MEMOIRE = "trop_de_memoire"
TROP_GROS = "trop_gros"


class Refuse(Exception):
    """A cleaner cannot clean these bytes."""

    def __init__(self, motif: str = ILLISIBLE) -> None:
        super().__init__(motif)
        self.motif = motif
