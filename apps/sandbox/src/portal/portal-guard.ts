import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Where the portal is, and what protects its forms. */
export interface PortalGuard {
  port: number;
  /** origin of the bank's pages, to which a form sends the customer */
  bankOrigin: string;
  /** stands in every form of this run */
  formToken: string;
  /** answers a form that is not of this run; nothing is done */
  answerOldForm: (form: URLSearchParams, reply: FastifyReply) => FastifyReply;
}

export function createFormToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Accepts requests for the portal's own address only: a page of another site can neither read the portal, under a name
 * of its own that leads here (DNS rebinding), nor press its buttons.
 */
export function guardPortal(server: FastifyInstance, options: PortalGuard): void {
  const { port, bankOrigin, formToken, answerOldForm } = options;
  const hosts = [`localhost:${port}`];
  const numbers = [`127.0.0.1:${port}`, `[::1]:${port}`];
  // A browser that trusts the sandbox's authority may come by HTTPS, see listen.ts.
  const origins = hosts.flatMap((host) => [`http://${host}`, `https://${host}`]);
  server.addHook('onRequest', async (request, reply) => {
    void reply.headers(pageHeaders(bankOrigin));
    const { host = '' } = request.headers;
    if (numbers.includes(host) && request.method === 'GET') {
      return reply.redirect(`http://${hosts[0]}${request.url}`, 307);
    }
    if (!hosts.includes(host)) return refuse(reply, 421, `This is the sandbox portal at ${origins[0]}.`);
    if (isFromElsewhere(request, origins)) return refuse(reply, 403, 'The request came from another site.');
    return undefined;
  });
  server.addHook('preHandler', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return undefined;
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    if (timingSafeEqual(hash(form.get('form_token') ?? ''), hash(formToken))) return undefined;
    return answerOldForm(form, reply.code(403));
  });
}

function isFromElsewhere({ method, url, headers }: FastifyRequest, origins: readonly string[]): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (method !== 'GET' && method !== 'HEAD') {
    return origin === undefined
      ? !['same-origin', 'none', undefined].includes(site || undefined)
      : !origins.includes(origin);
  }
  // Only our own pages may open the stream. Any site may link to a page, and the bank redirects to the callback.
  return url.startsWith('/events') && site !== undefined && site !== 'same-origin';
}

function refuse(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').send(`${text}\n`);
}

function pageHeaders(bankOrigin: string): Record<string, string> {
  return {
    // Chromium applies form-action to the redirect that answers a form.
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
      `form-action 'self' ${bankOrigin}; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    // A stricter policy would remove the origin from our own forms.
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}
