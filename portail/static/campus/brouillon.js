"use strict";
// What is being typed is kept, sealed, after ten seconds without a key: the next page asks before it shows it.
(() => {
  const etape = document.querySelector("form[data-garder]");
  if (!etape) return;
  let attente = 0;
  let envoi = new AbortController();
  const garder = async () => {
    if (!etape.isConnected) return;
    envoi = new AbortController();
    const body = new URLSearchParams(new FormData(etape));
    body.set("garder", "1");
    const lu = await fetch(etape.action, { method: "POST", body, headers: { "X-Direct": "1" }, redirect: "error", signal: envoi.signal }).catch(() => {});
    if (lu && lu.ok) etape.elements.recit.value = await lu.text();
  };
  const attendre = () => {
    clearTimeout(attente);
    envoi.abort();
  };
  etape.addEventListener("input", () => {
    attendre();
    attente = setTimeout(garder, 10000);
  });
  // What somebody sends comes after what sends itself; where it does not arrive, the page is still there to keep it.
  addEventListener("submit", () => {
    attendre();
    attente = setTimeout(garder, 10000);
  });
  addEventListener("pagehide", attendre);
})();
