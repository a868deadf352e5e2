import type { FastifyReply, FastifyRequest } from 'fastify';
import { prefersHtml } from './prefers-html.js';

/** RFC 6749 s5.1: caches must not store an answer with a token. */
export const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' };

// JSON served as text/html: the published description declares it so. If a browser shows it, nothing in it may run.
const asHtml = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'; sandbox" };
const asJson = { 'content-type': 'application/json' };

/**
 * Sends a JSON document with the media type that the client prefers, uncacheable.
 * @param answer.headers beyond those
 */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers = {}, body }: { status: number; headers?: Readonly<Record<string, string>>; body: object },
): void {
  const contentType = prefersHtml(request.headers.accept) ? asHtml : asJson;
  void reply
    .status(status)
    .headers({ ...uncached, vary: 'accept', ...headers, ...contentType })
    // As bytes, because Fastify would add a charset to a string, which application/json does not have (RFC 8259 s11).
    .send(Buffer.from(JSON.stringify(body)));
}
