/**
 * The headers of a page: nothing but its own style sheet is loaded, no script runs, nobody may frame it (RFC 9700
 * s4.16), nothing is kept, and no address leaks to other sites.
 * @param redirectUri the registered one of this request. Chromium applies form-action to the redirect after a form, so
 * its origin must be listed, or the PSU cannot return
 * @param hasScript for a page that waits: our one script asks whether the wait is over
 */
export function pageHeaders(redirectUri?: string, hasScript = false): Record<string, string> {
  const formAction = redirectUri === undefined ? "'self'" : `'self' ${originOf(redirectUri)}`;
  return {
    'content-security-policy':
      `default-src 'none'; style-src 'self'; ${hasScript ? "script-src 'self'; connect-src 'self'; " : ''}` +
      "img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; " +
      `form-action ${formAction}`,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'cache-control': 'no-store',
    pragma: 'no-cache',
  };
}

function originOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  // A URL's host may contain a semicolon, which would start another directive; an app's own scheme has no origin. Then
  // the scheme is the source.
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin) ? origin : protocol;
}
