"use strict";
// Leaving at once. Without this script the link alone does it: a blank page of ours, then the neutral site.
(() => {
  const lien = document.getElementById("quitter");
  if (!lien) return;
  document.querySelector(".resume, #fait")?.focus(); // what has to be looked at, or has just been done
  const annonce = document.getElementById("annonce");
  const vider = () => document.body.replaceChildren();
  const partir = () => {
    const texte = annonce.dataset.chargement;
    vider();
    document.title = "…";
    document.body.textContent = texte;
    location.replace(lien.href);
  };
  lien.addEventListener("click", (evenement) => {
    evenement.preventDefault();
    partir();
  });
  // Shift three times in five seconds; not where it makes a capital.
  let appuis = [];
  let seule = false;
  addEventListener("keydown", (evenement) => {
    seule = evenement.key === "Shift" && !evenement.repeat;
    if (!seule) appuis = [];
  });
  addEventListener("keyup", (evenement) => {
    if (evenement.key !== "Shift" || !seule) return;
    seule = false;
    const maintenant = Date.now();
    appuis = [...appuis.filter((moment) => maintenant - moment < 5000), maintenant];
    if (appuis.length >= 3) partir();
    else annonce.textContent = annonce.dataset.encore.replace("{n}", String(3 - appuis.length));
  });
  // What a browser keeps for « Retour » is empty, and is asked for again; nothing shows in the list of open apps.
  addEventListener("pagehide", vider);
  addEventListener("pageshow", (evenement) => {
    if (evenement.persisted) location.reload();
  });
  document.addEventListener("visibilitychange", () => {
    document.body.classList.toggle("voile", document.hidden);
  });
  const copier = document.getElementById("copier");
  if (copier && navigator.clipboard) {
    copier.hidden = false;
    copier.addEventListener("click", async () => {
      await navigator.clipboard.writeText([...document.querySelectorAll(".mots li")].map((mot) => mot.textContent).join(" "));
      annonce.textContent = copier.textContent = copier.dataset.fait;
    });
  }
  // An open space: typing counts as presence, its end is announced, and then nothing stays on the screen.
  const { inactivite, signe, accueil } = document.body.dataset;
  const veille = document.getElementById("veille");
  if (!veille) return;
  const fin = Number(inactivite) * 1000;
  let vu = Date.now();
  let dit = vu;
  const dire = () => {
    dit = Date.now();
    fetch(signe, { method: "HEAD", redirect: "error" }).catch(() => {});
  };
  const presente = () => {
    vu = Date.now();
  };
  for (const geste of ["keydown", "pointerdown"]) addEventListener(geste, presente);
  veille.addEventListener("close", () => {
    presente();
    dire();
  });
  setInterval(() => {
    const silence = Date.now() - vu;
    if (silence >= fin) location.replace(accueil);
    else if (silence >= fin * (5 / 6)) veille.open || veille.showModal();
    else if (vu > dit && Date.now() - dit > fin / 6) dire();
  }, 10000);
})();
