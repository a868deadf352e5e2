// A customer's way through our pages, by the browser of the TPP's programs.
import { HttpsClient } from '../../dist/apps/tpp/src/https-client.js';
import { CustomerBrowser } from '../../dist/apps/tpp/src/customer/customer-browser.js';
import { approve, confirm, signIn } from '../../dist/apps/tpp/src/customer/approve.js';
import { createCompactJws } from './sign-jws.mjs';

export const redirectUri = 'https://tpp.example/callback';

/** Opens the page of a file and approves it with a code. @returns the authorization code */
export async function approveAs(tpp, port, consentId) {
  const { browser, close } = await openPage(tpp, port, consentId);
  await approve(browser, { accountName: 'Current account', expected: [] });
  const location = await confirm(browser, { one_time_code: '111111' });
  close();
  return new URLSearchParams(new URL(location).hash.slice(1)).get('code');
}

/**
 * Signs the customer in and opens the page of a file.
 * @returns path and headers of the request for that page
 */
export async function openApprovalPage(tpp, port, consentId) {
  const { page, close } = await openPage(tpp, port, consentId);
  close();
  const { pathname, search } = new URL(page().url);
  return { path: pathname + search, cookie: page().headers.cookie };
}

async function openPage({ pki, client, issuer }, port, consentId) {
  let page;
  const customer = new HttpsClient({ ca: pki.ca, onExchange: ({ request }) => (page = request) });
  // The pages lead to the address that the service is configured with.
  const agent = {
    send: ({ url, ...request }) =>
      customer.send({ ...request, url: url.replace('localhost:8441', `localhost:${port}`) }),
  };
  const browser = new CustomerBrowser(agent, redirectUri);
  await browser.open(await createAuthorizationUrl({ client, issuer }, consentId));
  await signIn(browser, { username: consentId, password: 'ada-password' });
  return { browser, page: () => page, close: () => customer.close() };
}

export async function createAuthorizationUrl({ client, issuer }, consentId) {
  const now = Math.floor(Date.now() / 1_000);
  const parameters = {
    client_id: client.clientId,
    response_type: 'code id_token',
    redirect_uri: redirectUri,
    scope: 'openid payments',
  };
  const claims = {
    ...parameters,
    iss: client.clientId,
    aud: issuer,
    nbf: now,
    exp: now + 300,
    state: 'bench-state',
    nonce: 'bench-nonce',
    claims: { id_token: { openbanking_intent_id: { value: consentId, essential: true } } },
  };
  const request = await createCompactJws({ header: { typ: 'oauth-authz-req+jwt' }, claims, key: client.key });
  return `https://localhost:8441/oauth2/authorize?${new URLSearchParams({ ...parameters, request })}`;
}
