"""Bounds of pixels, pictures and objects in one file; the process around the cleaner bounds memory and time."""

from resources.nettoyage.refus import TROP_D_IMAGES, TROP_DE_PIXELS, Refuse

# An animation may decode to as many pixels as this many pictures of the largest size.
_PIXELS_D_UNE_ANIMATION = 10
# A still picture is read up to so many times the largest size that is kept: what the largest sensors take.
_A_REDUIRE = 6


class Bornes:
    __slots__ = ("images", "objets", "pixels")

    def __init__(self, pixels: int, images: int, objets: int) -> None:
        self.pixels, self.images, self.objets = pixels, images, objets

    def verifier(self, largeur: int, hauteur: int, images: int = 1) -> None:
        """Refuse dimensions before anything is decoded."""
        self._exiger(largeur, hauteur, images)
        if images > self.images:
            raise Refuse(TROP_D_IMAGES)
        surface = largeur * hauteur
        if surface > self.pixels or surface * images > self.pixels * _PIXELS_D_UNE_ANIMATION:
            raise Refuse(TROP_DE_PIXELS)

    def est_a_reduire(self, largeur: int, hauteur: int) -> bool:
        """True where a still picture is larger than what is kept; Refuse if it is larger than what is read."""
        self._exiger(largeur, hauteur, 1)
        if largeur * hauteur > self.pixels * _A_REDUIRE:
            raise Refuse(TROP_DE_PIXELS)
        return largeur * hauteur > self.pixels

    def _exiger(self, largeur: int, hauteur: int, images: int) -> None:
        if not largeur or not hauteur or images < 1:
            raise Refuse
