"use strict";
// Files leave one after the other, each on a line that says how far it is, that it is sent, or why it was refused.
(() => {
  const liste = document.getElementById("envois");
  if (!liste) return;
  const form = liste.previousElementSibling;
  const { dataset } = liste;
  const envoyer = (fichier) => new Promise((dire) => {
    const ligne = liste.appendChild(document.createElement("li"));
    const nom = ligne.appendChild(document.createElement("bdi"));
    const barre = ligne.appendChild(document.createElement("progress"));
    const envoi = new XMLHttpRequest();
    const finir = (texte) => {
      barre.replaceWith(texte);
      dire(envoi.status);
    };
    nom.textContent = fichier.name;
    nom.after(" · ");
    if (fichier.size > dataset.limite) return finir(dataset.grand);
    const corps = new FormData(form);
    corps.set("fichier", fichier);
    envoi.upload.onprogress = ({ loaded, total }) => { barre.value = loaded / total; };
    envoi.onloadend = () => {
      const page = new DOMParser().parseFromString(envoi.responseText, "text/html");
      const refus = page.querySelector(".champ .erreur");
      finir(envoi.status === 204 ? dataset.pris : refus ? refus.textContent : dataset.perdu);
    };
    envoi.open("POST", form.action);
    envoi.setRequestHeader("X-Envoi", "un");
    envoi.send(corps);
  });
  form.addEventListener("submit", async (evenement) => {
    const choisis = [...form.fichier.files];
    if (!choisis.length || !navigator.onLine) return;
    // What the line cuts stays chosen, to be sent again; a browser that cannot do so sends the form as it is.
    let coupes;
    try {
      coupes = new DataTransfer();
    } catch (erreur) {
      return;
    }
    evenement.preventDefault();
    form.hidden = true;
    let tous = true;
    for (const fichier of choisis) {
      const statut = await envoyer(fichier);
      if (!statut && fichier.size <= dataset.limite) coupes.items.add(fichier);
      tous = statut === 204 && tous;
    }
    form.hidden = false;
    form.fichier.files = coupes.files;
    if (tous) location.assign(dataset.suite);
  });
})();
