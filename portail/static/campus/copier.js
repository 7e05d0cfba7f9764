"use strict";
// The six words, for who pastes them into a place of their own.
(() => {
  const copier = document.getElementById("copier");
  if (!copier || !navigator.clipboard) return;
  copier.hidden = false;
  copier.addEventListener("click", async () => {
    await navigator.clipboard.writeText([...document.querySelectorAll(".mots li")].map((mot) => mot.textContent).join(" "));
    document.getElementById("annonce").textContent = copier.textContent = copier.dataset.fait;
  });
})();
