import { createRandomToken } from './random-token.js';

/** RFC 9126 s2.2: the registered namespace, with a random token behind it. */
const PREFIX = 'urn:ietf:params:oauth:request_uri:';
const PUSHED_REQUEST_URI = /^urn:ietf:params:oauth:request_uri:[A-Za-z0-9_-]{43}$/;

/** A new reference of a pushed authorization request: nobody can guess one (RFC 9126 s7.1). */
export function createPushedRequestUri(): string {
  return `${PREFIX}${createRandomToken()}`;
}

/** True for a text of the form of our references. */
export function isPushedRequestUri(value: string): boolean {
  return PUSHED_REQUEST_URI.test(value);
}
