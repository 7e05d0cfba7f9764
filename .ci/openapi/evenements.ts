// Compiled strictly by `lint` against the types made of the OpenAPI document: `type` tells the form of `payload`.
import type { components } from "./openapi.ts";

type Evenement = components["schemas"]["Evenement"];

export function dire(evenement: Evenement): string {
  switch (evenement.type) {
    case "message_created":
      return `${evenement.payload.auteurNom}: ${evenement.payload.contenu}`;
    case "signalement_statut_updated":
      return `${evenement.payload.reference}: ${evenement.payload.statut}`;
    case "event_cancelled":
      return evenement.payload.id;
    case "connected": {
      const compte: string | null = evenement.payload.userId;
      return compte ?? "guest";
    }
    default:
      return evenement.type;
  }
}

// The cursor to come back with: the socket's own frames have no `eventId`.
export function curseur(evenement: Evenement): string | undefined {
  return "eventId" in evenement ? evenement.eventId : undefined;
}

// A field that is misspelt, or is another type's, does not compile: were one of these to, `lint` would fail.
export function fautes(evenement: Evenement): void {
  if (evenement.type === "message_created") {
    // @ts-expect-error -- misspelt
    void evenement.payload.contenue;
    // @ts-expect-error -- of another type
    void evenement.payload.reference;
  }
  // @ts-expect-error -- nobody sends it
  if (evenement.type === "message_deleted") return;
}
