import type { AppDescription } from '#libs/api-description';
import {
  accounts31Description,
  accounts40Description,
  filePaymentDescriptions,
  fundsConfirmation31Description,
  fundsConfirmation40Description,
  registrationDescription,
} from '../../api/src/describe-api-app.js';
import { authorizeAppDescription } from '../../authorize/src/describe-authorize-app.js';
import { tokenAppDescription } from '../../token/src/describe-token-app.js';

/** One API document: its name is that of its files. */
export interface Area {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly apps: readonly AppDescription[];
}

const shared =
  'Every answer has an `x-fapi-interaction-id`: quote it when you ask the bank about a request. Every error code has its page in ' +
  'the [error catalogue](/docs/errors), and every error leads to it.\n\n' +
  'This page sends no requests: they need a client certificate and, most of them, a signature, which a web page cannot make. ' +
  'The command line of the TPP (`npm run tpp`) and the collection for Bruno in `apps/openapi/bruno` make both.';

function filePayments({ wire, app }: (typeof filePaymentDescriptions)[number]): Area {
  const { document, version, stateName } = wire;
  return {
    name: document.name,
    title: document.title,
    version: document.edition,
    apps: [app],
    description:
      `Up to 150 payments of one type (FPS, BACS, CHAPS or balance transfer) in one JSON file. Read/Write API v${version}.\n\n` +
      `1. \`POST /file-payment-consents\`: say what the file will be. The state is ${stateName('AwaitingUpload')}.\n` +
      `2. \`POST …/{ConsentId}/file\`: upload it. ${stateName('AwaitingAuthorisation')}.\n` +
      `3. Let the customer approve (see Authorisation). ${stateName('Authorised')}.\n` +
      `4. \`POST /file-payments\`: have the payments made. ${stateName('Consumed')}.\n` +
      '5. Read the state and the report file.\n\n' +
      `Every POST is signed (\`x-jws-signature\`) and counts once (\`x-idempotency-key\`). Answers with a body are signed by the bank.\n\n${shared}`,
  };
}

function accounts({ states, ...area }: Pick<Area, 'name' | 'version' | 'apps'> & { states: string }): Area {
  const [awaitingAuthorisation, authorised, withdrawn] = states.split(' ');
  const version = area.version.slice(0, area.version.lastIndexOf('.'));
  return {
    ...area,
    title: version === '3.1' ? 'Account access' : `Account access v${version}`,
    description:
      `Consents to read accounts. Read/Write API v${version}.\n\n` +
      `1. \`POST /account-access-consents\`: say what is to be read, and for how long. The state is ${awaitingAuthorisation}.\n` +
      `2. Let the customer agree and choose the accounts (see Authorisation, scope \`accounts\`). ${authorised}.\n` +
      "3. Read the accounts at the bank's resource server, with the tokens that came from it.\n" +
      `4. \`DELETE …/{ConsentId}\` when the customer ends it with you. ${withdrawn}.\n\n` +
      `Nothing here is signed, and every POST makes a consent anew.\n\n${shared}`,
  };
}

function fundsConfirmation({ states, ...area }: Pick<Area, 'name' | 'version' | 'apps'> & { states: string }): Area {
  const [awaitingAuthorisation, authorised, withdrawn] = states.split(' ');
  const version = area.version.slice(0, area.version.lastIndexOf('.'));
  return {
    ...area,
    title: version === '3.1' ? 'Funds confirmation' : `Funds confirmation v${version}`,
    description:
      `Whether an amount is available in an account: yes or no. Read/Write API v${version}.\n\n` +
      `1. \`POST /funds-confirmation-consents\`: name the account, and until when you want to ask. The state is ${awaitingAuthorisation}.\n` +
      `2. Let the customer agree (see Authorisation, scope \`fundsconfirmations\`). ${authorised}.\n` +
      '3. `POST /funds-confirmations` with the token that came from it, as often as there is something to ask.\n' +
      `4. \`DELETE …/{ConsentId}\` when the customer ends it with you. ${withdrawn}.\n\n` +
      `Nothing here is signed, and every POST makes something anew.\n\n${shared}`,
  };
}

export const areas: readonly Area[] = [
  {
    name: 'authorisation',
    title: 'Authorisation',
    version: '1.0',
    description:
      'OpenID Connect and OAuth 2.0 by FAPI 1.0 Advanced and the Open Banking security profile.\n\n' +
      '1. Get a token with `client_credentials`, and stage a consent with its file.\n' +
      "2. Send the customer's browser to `GET /oauth2/authorize` with a signed request object that names the consent.\n" +
      '3. The customer approves and comes back with a code; exchange it at `POST /oauth2/token`.\n\n' +
      `Everything at the address of the token endpoint needs mutual TLS; tokens are bound to the client certificate.\n\n${shared}`,
    apps: [authorizeAppDescription, tokenAppDescription],
  },
  ...filePaymentDescriptions.map(filePayments),
  accounts({
    name: 'accounts',
    version: '3.1.11',
    states: 'AwaitingAuthorisation Authorised Revoked',
    apps: [accounts31Description],
  }),
  accounts({
    name: 'accounts-4.0',
    version: '4.0.1',
    states: 'AWAU AUTH CANC',
    apps: [accounts40Description],
  }),
  fundsConfirmation({
    name: 'funds-confirmation',
    version: '3.1.11',
    states: 'AwaitingAuthorisation Authorised Revoked',
    apps: [fundsConfirmation31Description],
  }),
  fundsConfirmation({
    name: 'funds-confirmation-4.0',
    version: '4.0.1',
    states: 'AWAU AUTH CANC',
    apps: [fundsConfirmation40Description],
  }),
  {
    name: 'discovery-and-registration',
    title: 'Discovery and registration',
    version: '3.2',
    description:
      'OpenID discovery v3.0 and Dynamic Client Registration v3.2 (RFC 7591, RFC 7592).\n\n' +
      'Registration takes a JWS, signed with a key of the software, which holds the software statement of the directory. Its answer has ' +
      'every member under its name in RFC 7591, and seven of them under the published camel case name, too, with the same ' +
      `value.\n\n${shared}`,
    apps: [registrationDescription],
  },
];
