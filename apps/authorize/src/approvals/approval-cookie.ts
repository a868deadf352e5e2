/** RFC 6265bis s4.1.3.2: accepted only over HTTPS, for this host and the path /. */
const name = '__Host-approvals';
const form = /^__Host-approvals=([A-Za-z0-9_-]{43})$/;

/** @returns this browser's value for the approvals, if any */
export function parseApprovalCookie(header: string | undefined): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const value = form.exec(pair.trim())?.[1];
    if (value !== undefined) return value;
  }
  return undefined;
}

/** @returns the Set-Cookie header; 0 seconds make the browser forget it */
export function createApprovalCookie(value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Lax`;
}
