import { confirm, signIn } from './customer/approve.js';
import { CustomerBrowser } from './customer/customer-browser.js';
import type { HttpsClient } from './https-client.js';
import { createAuthorizationRequest } from './oauth/authorization-request.js';
import { verifyAuthorizationResponse, verifyIdToken } from './oauth/authorization-response.js';
import { discover, fetchProviderKeys, type ProviderKeys, type ProviderMetadata } from './oauth/provider.js';
import { register } from './oauth/register.js';
import { requestToken } from './oauth/request-token.js';
import type { Purpose } from './purpose.js';
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

/**
 * The customer goes to the bank, approves and returns; the code is exchanged for a token.
 * @param approval.title of the step in which the customer reads and agrees
 * @returns the access token
 */
export async function obtainApproval(
  { tppClient: client, browserClient, credentials, customer, printer }: Parties,
  { provider, keys, clientId }: Enrolled,
  approval: {
    consentId: string;
    purpose: Purpose;
    title: string;
    approve: (browser: CustomerBrowser) => Promise<void>;
  },
): Promise<string> {
  const { consentId, purpose, title, approve } = approval;
  const request = await createAuthorizationRequest({ provider, credentials, clientId, consentId, purpose });
  const { redirectUri } = request;
  const browser = new CustomerBrowser(browserClient, redirectUri);
  await printer.step('the customer is sent to the bank', () => browser.open(request.url));
  await printer.step('the customer signs in', () => signIn(browser, customer));
  await printer.step(title, () => approve(browser));
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
    requestToken({ client, provider, credentials, clientId, grant }),
  );
  await verifyIdToken({ idToken: token.id_token ?? '', ...expected, request, accessToken: token.access_token });
  return token.access_token;
}
