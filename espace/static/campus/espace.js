"use strict";
const sur = (element, acte) => element && element[acte]();
sur(document.querySelector(".resume, #fait"), "focus");
addEventListener("submit", (evenement) => {
  const coupe = document.getElementById("coupe");
  coupe.hidden = navigator.onLine || evenement.target.method === "dialog";
  if (coupe.hidden) return;
  evenement.preventDefault();
  coupe.focus();
});
// Ctrl+Enter sends.
addEventListener("keydown", ({ key, target, ctrlKey, metaKey, isComposing }) => {
  const bloc = key === "Enter" && (ctrlKey || metaKey) && !isComposing && target.closest("#repondre, #noter");
  sur(bloc && bloc.querySelector(".bouton"), "click");
});
// Single keys, where asked for, not while typing.
(() => {
  const aide = document.getElementById("raccourcis");
  if (!aide) return;

  const lignes = () => [...document.querySelectorAll("#lignes > [id^=d-]")];
  const ici = () => lignes().findIndex((ligne) => ligne.contains(document.activeElement));
  const lien = (rang) => document.querySelectorAll("#lignes h3 a")[rang];
  const ecrire = (bloc) => sur(document.querySelector(`#${bloc} textarea`), "focus");
  const actes = {
    j: () => sur(lien(Math.min(ici() + 1, lignes().length - 1)), "focus"),
    k: () => sur(lien(Math.max(ici() - 1, 0)), "focus"),
    o: () => sur(lien(ici()), "click"),
    r: () => ecrire("repondre"),
    n: () => ecrire("noter"),
    "?": () => aide.showModal && aide.showModal(),
  };

  addEventListener("keydown", (evenement) => {
    const { key, target, ctrlKey, altKey, metaKey, shiftKey, isComposing } = evenement;
    if (!actes.hasOwnProperty(key) || ctrlKey || altKey || metaKey || isComposing) return;
    if (shiftKey && key !== "?") return; // where a keyboard makes it so
    if (document.querySelector("dialog[open]")) return;
    if ((target.closest && target.closest("input, textarea, select")) || target.isContentEditable) return;
    evenement.preventDefault();
    actes[key]();
  });
})();
