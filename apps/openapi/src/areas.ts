import type { AppDescription } from '#libs/api-description';
import { type DescribedArea, describeReadWriteAreas, registrationDescription } from '../../api/src/describe-api-app.js';
import { authorizeAppDescription } from '../../authorize/src/describe-authorize-app.js';
import { tokenAppDescription } from '../../token/src/describe-token-app.js';

/** One API document: its name is that of its files. */
export interface Area {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** what the operations of each tag are for */
  readonly tags: Readonly<Record<string, string>>;
  readonly apps: readonly AppDescription[];
}

const shared =
  'Every answer has an `x-fapi-interaction-id`: quote it when you ask the bank about a request. Every error code has its page in ' +
  'the [error catalogue](/docs/errors), and every error leads to it.\n\n' +
  'This page sends no requests: they need a client certificate and, most of them, a signature, which a web page cannot make. ' +
  'The command line of the TPP (`npm run tpp`) and the collection for Bruno in `apps/openapi/bruno` make both.';

const authorisation: Area = {
  name: 'authorisation',
  title: 'Authorisation',
  version: '1.0',
  description:
    'OpenID Connect and OAuth 2.0 by FAPI 1.0 Advanced and the Open Banking security profile.\n\n' +
    '1. Get a token with `client_credentials`, and stage a consent with its file.\n' +
    "2. Send the customer's browser to `GET /oauth2/authorize` with a signed request object that names the consent.\n" +
    '3. The customer approves and comes back with a code; exchange it at `POST /oauth2/token`.\n\n' +
    `Everything at the address of the token endpoint needs mutual TLS; tokens are bound to the client certificate.\n\n${shared}`,
  tags: {
    'Authorization endpoint': "Where the customer's browser goes to sign in and approve.",
    'Keys of the bank': 'What verifies the signatures of the bank.',
    'Token endpoint': 'Tokens for the client itself, and for what a customer has approved.',
    'Pushed authorization requests': 'An authorization request, left at the bank before the customer is sent there.',
    'Tokens in use': 'What a token is worth, and its end.',
    "For the bank's own resource servers": 'Introspection, which no TPP may use.',
  },
  apps: [authorizeAppDescription, tokenAppDescription],
};

const discoveryAndRegistration: Area = {
  name: 'discovery-and-registration',
  title: 'Discovery and registration',
  version: '3.2',
  description:
    'OpenID discovery v3.0 and Dynamic Client Registration v3.2 (RFC 7591, RFC 7592).\n\n' +
    'Registration takes a JWS, signed with a key of the software, which holds the software statement of the directory. Its answer has ' +
    'every member under its name in RFC 7591, and seven of them under the published camel case name, too, with the same ' +
    `value.\n\n${shared}`,
  tags: {
    Discovery: 'Every address and capability of the service.',
    'Client registration': 'How the software of a TPP becomes a client.',
  },
  apps: [registrationDescription],
};

function readWriteArea({ document, app }: DescribedArea): Area {
  const { name, title, edition: version, description, tags } = document;
  return { name, title, version, description: `${description}\n\n${shared}`, tags, apps: [app] };
}

/** @returns the areas that have an API document each, in the order of the menu */
export function createAreas(readWrite: readonly DescribedArea[] = describeReadWriteAreas()): readonly Area[] {
  return [authorisation, ...readWrite.map(readWriteArea), discoveryAndRegistration];
}
