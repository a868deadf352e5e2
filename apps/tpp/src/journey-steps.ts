import { approve, confirm, signIn } from './customer/approve.js';
import { CustomerBrowser } from './customer/customer-browser.js';
import type { HttpsClient } from './https-client.js';
import { expectEqual } from './journey-error.js';
import { createAuthorizationRequest } from './oauth/authorization-request.js';
import { verifyAuthorizationResponse, verifyIdToken } from './oauth/authorization-response.js';
import { discover, fetchProviderKeys, type ProviderKeys, type ProviderMetadata } from './oauth/provider.js';
import { register } from './oauth/register.js';
import { requestToken } from './oauth/request-token.js';
import type { Purpose } from './purpose.js';
import { type ApiVersion, type VersionWords, versionWords } from './read-write/api-version.js';
import type { ReadWriteClient } from './read-write/read-write-client.js';
import type { SandboxCustomer } from './sandbox-description.js';
import type { StepPrinter } from './step-printer.js';
import type { TppCredentials } from './tpp-credentials.js';

/** The participants of a journey. */
export interface Parties {
  discoveryUri: string;
  /** HTTPS with the TPP's client certificate */
  tppClient: HttpsClient;
  /** HTTPS of the customer's browser */
  browserClient: HttpsClient;
  credentials: TppCredentials;
  customer: SandboxCustomer;
  printer: StepPrinter;
}

/** A client of the bank, with its own token. */
export interface Enrolled {
  provider: ProviderMetadata;
  keys: ProviderKeys;
  clientId: string;
  accessToken: string;
}

/** The steps from the bank's discovery document to the client's own token. */
export async function enrol(
  { discoveryUri, tppClient: client, credentials, printer }: Parties,
  purpose: Purpose,
): Promise<Enrolled> {
  const provider = await printer.step('discover the bank', () => discover(client, discoveryUri));
  const keys = await printer.step("fetch the bank's keys", () => fetchProviderKeys(client, provider.jwks_uri));
  const clientId = await printer.step('register', () => register({ client, provider, credentials }));
  const grant = { grant_type: 'client_credentials', scope: purpose } as const;
  const { access_token: accessToken } = await printer.step('get a token (client credentials)', () =>
    requestToken({ client, provider, credentials, clientId, grant }),
  );
  return { provider, keys, clientId, accessToken };
}

/** A consent of ours that the customer is to approve. */
interface ToApprove {
  /** of its API */
  client: Pick<ReadWriteClient<{ Data: { Status: string } }>, 'readConsent' | 'version'>;
  consentId: string;
  purpose: Purpose;
  /** of the step in which the customer reads and agrees */
  title: string;
  /** words that the bank's page must show beside our name */
  expected?: readonly string[];
}

/**
 * The customer goes to the bank, approves and returns; the code is exchanged for a token.
 * @returns the access token
 */
export async function obtainApproval(
  { tppClient, browserClient, credentials, customer, printer }: Parties,
  { provider, keys, clientId, accessToken }: Enrolled,
  { client, consentId, purpose, title, expected: words = [] }: ToApprove,
): Promise<string> {
  const request = await createAuthorizationRequest({ provider, credentials, clientId, consentId, purpose });
  const { redirectUri } = request;
  const browser = new CustomerBrowser(browserClient, redirectUri);
  await printer.step('the customer is sent to the bank', () => browser.open(request.url));
  await printer.step('the customer signs in', () => signIn(browser, customer));
  const accountName = customer.accounts[0]?.name ?? '';
  await printer.step(title, () => approve(browser, { accountName, expected: [credentials.name, ...words] }));
  const location = await printer.step('the customer enters the one-time code', () => confirm(browser, customer));
  const expected = { provider, keys, clientId, consentId };
  const code = await printer.step('check the ID token that came back', () =>
    verifyAuthorizationResponse({ location, request, ...expected }),
  );
  const grant = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    scope: `openid ${purpose}`,
  } as const;
  const token = await printer.step('exchange the code for a token', () =>
    requestToken({ client: tppClient, provider, credentials, clientId, grant }),
  );
  await verifyIdToken({ idToken: token.id_token ?? '', ...expected, request, accessToken: token.access_token });
  await printer.step('the consent is authorised', async () =>
    expectConsent(await client.readConsent(accessToken, consentId), 'Authorised', client.version),
  );
  return token.access_token;
}

/** @throws JourneyError if a consent has another status */
export function expectConsent(
  { Data }: { Data: { Status: string } },
  status: keyof VersionWords['consent'],
  version: ApiVersion,
): void {
  expectEqual(Data.Status, versionWords[version].consent[status], 'the status of the consent');
}
