/** RFC 6265bis s4.1.3.2: a browser accepts a `__Host-` cookie only over HTTPS, for this host and the path /. */
const namePrefix = '__Host-authorization-';
const form = /^__Host-authorization-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})=([A-Za-z0-9_-]{43})$/;

/** More requests than anybody opens in tabs; further ones are dropped to keep the header small. */
const maxHeldSessions = 8;

/** One session of a browser. */
export interface HeldSession {
  readonly sessionId: string;
  /** 43 base64url characters; the table knows only its hash */
  readonly value: string;
}

/**
 * Reads the sessions from a Cookie header. One cookie per session, so that two tabs with two requests do not disturb
 * each other. Other cookies are ignored.
 * @returns oldest first: session ids are UUIDs of version 7, which sort by time
 */
export function parseSessionCookies(header: string | undefined): readonly HeldSession[] {
  return (header ?? '')
    .split(';')
    .map((pair) => form.exec(pair.trim()))
    .filter((match) => match !== null)
    .map(([, sessionId = '', value = '']) => ({ sessionId, value }))
    .sort((one, other) => one.sessionId.localeCompare(other.sessionId));
}

/**
 * @returns the Set-Cookie header that gives a session its value; `SameSite=Lax`, since the PSU arrives from the TPP's
 * site
 */
export function createSessionCookie({ sessionId, value }: HeldSession, maxAgeSeconds: number): string {
  return `${namePrefix}${sessionId}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Lax`;
}

/**
 * @returns the Set-Cookie headers that make the browser forget all but the newest sessions, so that one more has room
 */
export function dropOldSessionCookies(held: readonly HeldSession[]): string[] {
  const surplus = held.slice(0, Math.max(0, held.length - maxHeldSessions + 1));
  return surplus.map(({ sessionId }) => createSessionCookie({ sessionId, value: '' }, 0));
}
