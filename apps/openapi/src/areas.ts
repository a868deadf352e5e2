import type { AppDescription } from '#libs/api-description';
import { type DescribedArea, describeReadWriteAreas, registrationDescription } from '../../api/src/describe-api-app.js';
import { authorizeAppDescription } from '../../authorize/src/describe-authorize-app.js';
import { tokenAppDescription } from '../../token/src/describe-token-app.js';

/** One API document; its name is also the name of its files. */
export interface Area {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** the purpose of the operations of each tag */
  readonly tags: Readonly<Record<string, string>>;
  /** names of the schemas that allow no other members */
  readonly closedSchemas?: ReadonlySet<string>;
  readonly apps: readonly AppDescription[];
}

const shared =
  'Every answer has an `x-fapi-interaction-id`: quote it when you ask the bank about a request. Every error links ' +
  'to the page of its code in the [error catalogue](/docs/errors).\n\n' +
  'You cannot send requests from this page, because they need a client certificate and most need a signature. Use ' +
  'the command line of the TPP (`npm run tpp`) or a Bruno collection in `apps/openapi`.';

const authorisation: Area = {
  name: 'authorisation',
  title: 'Authorisation',
  version: '1.0',
  description:
    'OpenID Connect and OAuth 2.0, following FAPI 1.0 Advanced and the Open Banking security profile; FAPI 2.0 for ' +
    'clients that register for it.\n\n' +
    '1. Get a token with `client_credentials`, and stage a consent with its file.\n' +
    "2. Send the customer's browser to `GET /oauth2/authorize` with a signed request object that names the consent. " +
    'With FAPI 2.0, push it first (`POST /oauth2/par`).\n' +
    '3. The customer approves and comes back with a code; exchange it at `POST /oauth2/token`.\n\n' +
    'Everything at the address of the token endpoint needs mutual TLS; tokens are bound to the client ' +
    'certificate.\n\n' +
    shared,
  tags: {
    'Authorization endpoint': "The customer's browser goes here to sign in and approve.",
    'Keys of the bank': "The keys that verify the bank's signatures.",
    'Token endpoint': 'Tokens for the client itself, and for what a customer has approved.',
    'Pushed authorization requests': 'Push an authorization request to the bank before you send the customer there.',
    'Tokens in use': 'Revoke tokens, and read who approved.',
    "For the bank's own resource servers": "Introspection, for the bank's own servers only.",
  },
  // Closed, so that generated clients do not read the answer about an active token as this one.
  closedSchemas: new Set(['InactiveToken']),
  apps: [authorizeAppDescription, tokenAppDescription],
};

const discoveryAndRegistration: Area = {
  name: 'discovery-and-registration',
  title: 'Discovery and registration',
  version: '3.2',
  description:
    'OpenID discovery v3.0 and Dynamic Client Registration v3.2 (RFC 7591, RFC 7592).\n\n' +
    "A registration request is a JWS, signed with a key of the software, that contains the directory's software " +
    'statement. The answer has every member under its name in RFC 7591, and seven of them also under the published ' +
    'camel case name, with the same value.\n\n' +
    shared,
  tags: {
    Discovery: 'Every address and capability of the service.',
    'Client registration': 'Register the software of a TPP as a client.',
  },
  apps: [registrationDescription],
};

function readWriteArea({ document, closedSchemas, app }: DescribedArea): Area {
  const { name, title, edition: version, description, tags } = document;
  return { name, title, version, description: `${description}\n\n${shared}`, tags, closedSchemas, apps: [app] };
}

/** @returns the areas with an API document, in the order of the menu */
export function createAreas(readWrite: readonly DescribedArea[] = describeReadWriteAreas()): readonly Area[] {
  return [authorisation, ...readWrite.map(readWriteArea), discoveryAndRegistration];
}
