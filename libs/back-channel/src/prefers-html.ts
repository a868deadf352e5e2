import Negotiator from 'negotiator';
import { maxAcceptLength } from '#libs/guards';

/**
 * Whether an Accept header ranks text/html above application/json (RFC 9110 s12.5.1). A tie, no header, or a header
 * that allows neither means JSON, because the answer to a token request must not be lost (RFC 6749 s5.1).
 */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > maxAcceptLength || !/html/i.test(accept)) return false;
  const negotiator = new Negotiator({ headers: { accept } });
  return negotiator.mediaType(['application/json', 'text/html']) === 'text/html';
}
