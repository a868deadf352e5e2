import { channel } from 'node:diagnostics_channel';
import type { FastifyRequest } from 'fastify';

/** A request that was refused, with everything that is known of it. It never leaves the process by itself. */
export interface Refusal {
  readonly request: FastifyRequest;
  readonly status: number;
  readonly error: unknown;
}

const refusals = channel('open-banking:refusal');

/**
 * Tells whoever listens within this process why a request is refused. In production nobody listens and this costs
 * nothing; the sandbox listens, to explain refusals to their callers.
 */
export function reportRefusal(refusal: Refusal): void {
  if (refusals.hasSubscribers) refusals.publish(refusal);
}

/**
 * @param listener is called before the answer is sent
 * @returns what ends it
 */
export function listenForRefusals(listener: (refusal: Refusal) => void): () => void {
  const onMessage = (message: unknown): void => listener(message as Refusal);
  refusals.subscribe(onMessage);
  return () => void refusals.unsubscribe(onMessage);
}
