import { channel } from 'node:diagnostics_channel';
import type { FastifyRequest } from 'fastify';

/** A refused request with all known details. It stays within the process. */
export interface Refusal {
  readonly request: FastifyRequest;
  readonly status: number;
  readonly error: unknown;
}

const refusals = channel('open-banking:refusal');

/**
 * Publishes within this process why a request is refused. In production nothing listens, and this costs nothing; the
 * sandbox listens, to explain refusals to callers.
 */
export function reportRefusal(refusal: Refusal): void {
  if (refusals.hasSubscribers) refusals.publish(refusal);
}

/**
 * @param listener is called before the answer is sent
 * @returns a function that stops listening
 */
export function listenForRefusals(listener: (refusal: Refusal) => void): () => void {
  const onMessage = (message: unknown): void => listener(message as Refusal);
  refusals.subscribe(onMessage);
  return () => refusals.unsubscribe(onMessage);
}
