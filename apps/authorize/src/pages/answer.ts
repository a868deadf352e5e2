import type { FastifyReply } from 'fastify';
import { pageHeaders } from './page-headers.js';

/** What a request for a page is answered with. */
export type Answer =
  | {
      readonly kind: 'page';
      readonly status: number;
      readonly html: string;
      /** where the page's forms may lead besides this service */
      readonly redirectUri?: string;
      readonly cookies?: readonly string[];
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'redirect';
      /** 302 after GET, 303 after POST; never 307, which would send the PSU's form on to the TPP (RFC 9700 s4.12) */
      readonly status: 302 | 303;
      readonly location: string;
      readonly cookies?: readonly string[];
    };

/** Writes an answer, with the headers that protect the pages. */
export function sendAnswer(reply: FastifyReply, answer: Answer): void {
  if (answer.cookies !== undefined && answer.cookies.length > 0) void reply.header('set-cookie', [...answer.cookies]);
  if (answer.kind === 'redirect') {
    void reply.status(answer.status).headers(pageHeaders()).header('location', answer.location).send();
    return;
  }
  void reply
    .status(answer.status)
    .headers({ ...pageHeaders(answer.redirectUri), ...answer.headers })
    .type('text/html; charset=utf-8')
    .send(answer.html);
}
