/** The statuses of errors that the service answers with (RFC 9110 s15.5, s15.6; RFC 6585). */
export const statusPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Statuses that the resource APIs answer without a body, and so without a code. */
export const bodilessStatuses: readonly [string, string][] = [
  [
    '401',
    'No verified client certificate on the connection; or no access token, or one that is unknown, expired, revoked ' +
      'or bound to another certificate. WWW-Authenticate names the accepted credentials.',
  ],
  ['404', 'The path does not exist. An unknown id gets 400 with UK.OBIE.Resource.NotFound.'],
  ['405', 'The path does not support this method. Allow lists the methods that it supports.'],
  ['406', 'The Accept header does not allow application/json.'],
  ['408', 'The body does not come in time: it has five seconds, and a second more for each 100 kB.'],
  [
    '415',
    'Content-Type is not application/json in UTF-8, in registration not application/jose or application/jwt; or the ' +
      'body has a content coding.',
  ],
  [
    '421',
    'The request names a host other than the service, or other than the one for which its connection was opened.',
  ],
  ['429', 'Too many requests. Retry-After gives the seconds to wait.'],
  ['431', 'The address and the headers are too long: 16 KiB, at the authorization endpoint 128 KiB.'],
  [
    '503',
    'The service is overloaded or not fully available. Retry-After gives the seconds to wait. A request repeated ' +
      'with its idempotency key takes effect once.',
  ],
];
