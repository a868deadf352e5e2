/** Header of an answer, as OpenAPI has it. */
export interface HeaderDescription {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

const uuid = { type: 'string', format: 'uuid' } as const;

/** Every header of an answer that this service documents. */
const answerHeaders = {
  'x-fapi-interaction-id': {
    description: 'The id of the request, or a new id if the request has none or a malformed one.',
    required: true,
    schema: uuid,
  },
  'x-jws-signature': {
    description: 'Detached JWS of the bank over the bytes of this body; its keys are at /oauth2/jwks.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+\\.\\.[A-Za-z0-9_-]+$' },
  },
  location: {
    description: 'Address of the new resource.',
    required: true,
    schema: { type: 'string', format: 'uri' },
  },
  'redirect location': {
    description: 'The redirect_uri of the client, with error, error_description, error_uri, state and iss.',
    required: true,
    schema: { type: 'string', format: 'uri' },
  },
  'page or client location': {
    description: 'The next page of the bank, or the redirect_uri of the client with an error.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  'www-authenticate': {
    description: 'The accepted credentials (RFC 9110 section 11.6.1).',
    required: true,
    schema: { type: 'string', pattern: '^(Bearer|Basic) ' },
  },
  'basic challenge': {
    description: "Present whatever the client's authentication method (RFC 9110 section 15.5.2).",
    required: true,
    schema: { type: 'string', pattern: '^Basic ' },
  },
  allow: {
    description: 'The methods that the path supports.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' },
  },
  'retry-after': {
    description: 'Seconds to wait.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  'ratelimit-policy': {
    description:
      'How many requests are allowed in how many seconds (draft-ietf-httpapi-ratelimit-headers), by the process that ' +
      'answers. Absent if there is no limit.',
    schema: { type: 'string', pattern: '^"[a-z]+";q=[0-9]+;w=[0-9]+(, "[a-z]+";q=[0-9]+;w=[0-9]+)*$' },
  },
  ratelimit: {
    description:
      'How many requests remain at the process that answers, and in how many seconds the count restarts. Absent if ' +
      'there is no limit.',
    schema: { type: 'string', pattern: '^"[a-z]+";r=[0-9]+;t=[0-9]+(, "[a-z]+";r=[0-9]+;t=[0-9]+)*$' },
  },
  'x-client-id': {
    description: 'The client to which the access token belongs, once the service has identified it.',
    schema: uuid,
  },
  'cache-control': {
    description: 'Intermediaries must not store the answer.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
  },
  'public cache': {
    description: 'How long the answer may be cached.',
    required: true,
    schema: { type: 'string', pattern: '^public, max-age=[0-9]+$' },
  },
  etag: {
    description: 'Tag of this version of the document.',
    required: true,
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]+"$' },
  },
} as const satisfies Record<string, HeaderDescription>;

/** Name of a documented header; a second meaning of a header has its own name here. */
export type AnswerHeader = keyof typeof answerHeaders;

const wireNames: Partial<Record<AnswerHeader, string>> = {
  'redirect location': 'location',
  'page or client location': 'location',
  'basic challenge': 'www-authenticate',
  'public cache': 'cache-control',
};

/** @returns the headers as OpenAPI has them */
export function describeHeaders(names: readonly AnswerHeader[]): Record<string, HeaderDescription> {
  return Object.fromEntries(names.map((name) => [wireNames[name] ?? name, answerHeaders[name]]));
}
