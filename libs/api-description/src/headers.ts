/** Header of an answer, as OpenAPI has it. */
export interface HeaderDescription {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

type Schema = Readonly<Partial<Record<'format' | 'pattern' | 'const', string>>>;

const sometimes = (description: string, schema: Schema): HeaderDescription => ({
  description,
  schema: { type: 'string', ...schema },
});
const always = (description: string, schema: Schema): HeaderDescription => ({
  description,
  required: true,
  schema: { type: 'string', ...schema },
});

/** Every header of an answer that this service documents. */
const answerHeaders = {
  'x-fapi-interaction-id': always('The id of the request, or a new id if the request has none or a malformed one.', {
    format: 'uuid',
  }),
  'x-jws-signature': always('Detached JWS of the bank over the bytes of this body; its keys are at /oauth2/jwks.', {
    pattern: '^[A-Za-z0-9_-]+\\.\\.[A-Za-z0-9_-]+$',
  }),
  location: always('Address of the new resource.', { format: 'uri' }),
  'redirect location': always(
    'The redirect_uri of the client, with error, error_description, error_uri, state and iss.',
    { format: 'uri' },
  ),
  'page or client location': always('The next page of the bank, or the redirect_uri of the client with an error.', {
    format: 'uri-reference',
  }),
  'www-authenticate': always('The accepted credentials (RFC 9110 section 11.6.1).', { pattern: '^(Bearer|Basic) ' }),
  'basic challenge': always("Present whatever the client's authentication method (RFC 9110 section 15.5.2).", {
    pattern: '^Basic ',
  }),
  allow: always('The methods that the path supports.', { pattern: '^[A-Z]+(, [A-Z]+)*$' }),
  'retry-after': always('Seconds to wait.', { pattern: '^[0-9]+$' }),
  'ratelimit-policy': sometimes(
    'How many requests are allowed in how many seconds (draft-ietf-httpapi-ratelimit-headers), by the process that ' +
      'answers. Absent if there is no limit.',
    { pattern: '^"[a-z]+";q=[0-9]+;w=[0-9]+(, "[a-z]+";q=[0-9]+;w=[0-9]+)*$' },
  ),
  ratelimit: sometimes(
    'How many requests remain at the process that answers, and in how many seconds the count restarts. Absent if ' +
      'there is no limit.',
    { pattern: '^"[a-z]+";r=[0-9]+;t=[0-9]+(, "[a-z]+";r=[0-9]+;t=[0-9]+)*$' },
  ),
  'x-client-id': sometimes('The client to which the access token belongs, once the service has identified it.', {
    format: 'uuid',
  }),
  'cache-control': always('Intermediaries must not store the answer.', { const: 'no-store' }),
  'public cache': always('How long the answer may be cached.', { pattern: '^public, max-age=[0-9]+$' }),
  etag: always('Tag of this version of the document.', { pattern: '^"[A-Za-z0-9_-]+"$' }),
} satisfies Record<string, HeaderDescription>;

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
