/** An audit event as it is sealed, exported and verified. */
export interface TrailEvent {
  readonly eventId: string;
  /** UTC with microseconds */
  readonly occurredAt: string;
  readonly actor: string;
  readonly action: string;
  readonly clientId: string | null;
  readonly interactionId: string | null;
  readonly details: unknown;
}

/** Position of a sealed event. */
export interface SealedPlace {
  readonly sealNumber: number;
  /** from 1 */
  readonly position: number;
  /** SHA-256 of the event, base64url */
  readonly hash: string;
}

/** The audit trail in order: each seal, followed by the events that it covers; unsealed events last. */
export type TrailEntry =
  | { readonly kind: 'seal'; readonly number: number; readonly seal: string }
  | { readonly kind: 'event'; readonly event: TrailEvent; readonly place: SealedPlace | null };
