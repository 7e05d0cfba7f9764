// Redoc takes the mark of its maker from another address, and no option says otherwise. An image of elsewhere is empty
// here, by its attribute or its property: nothing is asked for, and the page does without, as where it cannot be loaded.
(() => {
  const VIDE = "data:,";
  const image = HTMLImageElement.prototype;
  const src = Object.getOwnPropertyDescriptor(image, "src");
  const d_ici = (adresse) => {
    if (!URL.canParse(adresse, document.baseURI)) return adresse;
    const { origin, protocol } = new URL(adresse, document.baseURI);
    return origin === location.origin || !/^https?:$/.test(protocol) ? adresse : VIDE;
  };
  Object.defineProperty(image, "src", Object.assign({}, src, { set(adresse) { src.set.call(this, d_ici(adresse)); } }));
  image.setAttribute = function setAttribute(nom, valeur) {
    Element.prototype.setAttribute.call(this, nom, String(nom).toLowerCase() === "src" ? d_ici(valeur) : valeur);
  };
})();
