// Signs the requests of the collection with the keys that the environment names, and approves as a customer. Plain
// Node.
const crypto = require('crypto');
const fs = require('fs');
const https = require('https');
const path = require('path');

const base64url = (value) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(Date.now() / 1000);

/** What depends on the version of the Read/Write API that the environment names. */
function versionOf(bru) {
  const versions = JSON.parse(fs.readFileSync(path.join(bru.cwd(), 'lib', 'versions.json'), 'utf8'));
  return versions[bru.getEnvVar('version')];
}

function signer(bru) {
  const key = crypto.createPrivateKey(fs.readFileSync(bru.getEnvVar('signing_key'), 'utf8'));
  const isEc = key.asymmetricKeyType === 'ec';
  const options = isEc
    ? { key, dsaEncoding: 'ieee-p1363' }
    : { key, padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  return {
    header: { alg: isEc ? 'ES256' : 'PS256', kid: bru.getEnvVar('signing_kid') },
    sign: (input) => crypto.sign('sha256', Buffer.from(input), options).toString('base64url'),
  };
}

function signJwt(bru, claims, typ = 'JWT') {
  const { header, sign } = signer(bru);
  const input =
    base64url({ ...header, typ }) +
    '.' +
    base64url({ iat: now(), exp: now() + 300, jti: crypto.randomUUID(), ...claims });
  return input + '.' + sign(input);
}

function setSignedBody(req, bru, body) {
  const { header, sign } = signer(bru);
  // Version 3.1 signs the bytes of the body (RFC 7797), later ones its Base64url (RFC 7515).
  const { isEncoded } = versionOf(bru);
  const openBanking = 'http://openbanking.org.uk/';
  const jws = base64url({
    ...header,
    ...(isEncoded ? {} : { b64: false }),
    [openBanking + 'iat']: now(),
    [openBanking + 'iss']: bru.getEnvVar('org_id') + '/' + bru.getEnvVar('software_id'),
    [openBanking + 'tan']: 'openbanking.org.uk',
    crit: [...(isEncoded ? [] : ['b64']), openBanking + 'iat', openBanking + 'iss', openBanking + 'tan'],
  });
  req.setBody(body);
  req.setHeader('x-jws-signature', jws + '..' + sign(jws + '.' + (isEncoded ? base64url(body) : body)));
}

function requestObject(bru, query, further = {}) {
  const intent = { value: bru.getVar('consent_id'), essential: true };
  const claims = {
    iss: query.client_id,
    aud: bru.getEnvVar('issuer'),
    nbf: now(),
    ...query,
    state: crypto.randomUUID(),
    nonce: crypto.randomUUID(),
    claims: { id_token: { openbanking_intent_id: intent } },
    ...further,
  };
  return signJwt(bru, claims, 'oauth-authz-req+jwt');
}

function authorizationQuery(bru, scope = 'payments') {
  return {
    client_id: bru.getVar('client_id'),
    response_type: 'code id_token',
    scope: 'openid ' + scope,
    redirect_uri: bru.getEnvVar('redirect_uri'),
  };
}

function authorizationUrl(bru, scope) {
  const query = authorizationQuery(bru, scope);
  return (
    bru.getEnvVar('auth_url') +
    '/oauth2/authorize?' +
    new URLSearchParams({ ...query, request: requestObject(bru, query) })
  );
}

/** The request object of a pushed request: with the PKCE challenge of a verifier that is kept. */
function pushedRequest(bru) {
  const verifier = crypto.randomBytes(32).toString('base64url');
  bru.setVar('code_verifier', verifier);
  const code_challenge = crypto.createHash('sha256').update(verifier).digest('base64url');
  return requestObject(bru, authorizationQuery(bru), { code_challenge, code_challenge_method: 'S256' });
}

/** One HTTPS request, with the client's certificate where the bank asks for it. */
function send(bru, url, { method = 'GET', headers = {}, body, certificate = false } = {}) {
  const read = (name) => fs.readFileSync(bru.getEnvVar(name));
  const identity = certificate ? { cert: read('transport_certificate'), key: read('transport_key') } : {};
  return new Promise((resolve, reject) => {
    const request = https.request(
      url,
      { method, headers, ca: read('ca'), rejectUnauthorized: true, ...identity },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve({ headers: response.headers, text: Buffer.concat(chunks).toString() }));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** The customer's web browser: follows redirects until the bank redirects to the TPP. */
function openBrowser(bru) {
  const cookies = new Map();
  const page = { url: '', html: '', left: undefined };
  const go = async (url, options = {}) => {
    const cookie = [...cookies].map(([name, value]) => name + '=' + value).join('; ');
    const headers = { ...options.headers, accept: 'text/html', ...(cookie === '' ? {} : { cookie }) };
    const answer = await send(bru, url, { ...options, headers });
    for (const line of answer.headers['set-cookie'] || []) {
      const [name, value] = line.split(';')[0].split('=');
      cookies.set(name, value);
    }
    const { location } = answer.headers;
    const target = location === undefined ? undefined : new URL(location, url).href;
    if (target === undefined) Object.assign(page, { url, html: answer.text });
    else if (target.startsWith(bru.getEnvVar('redirect_uri'))) page.left = target;
    else await go(target);
  };
  return { page, go };
}

const attribute = (tag, name) => (tag.match(new RegExp('\\s' + name + '="([^"]*)"')) || [])[1] || '';

/** Fills the form with this button: the first of several radio buttons, and what is to be typed, by id. */
async function submit({ page, go }, buttonId, values) {
  const forms = page.html.match(/<form[^]*?<\/form>/g) || [];
  const form = forms.find((each) => each.includes('id="' + buttonId + '"'));
  if (form === undefined) throw new Error('The page ' + (page.left || page.url) + ' has no #' + buttonId + '.');
  const body = new URLSearchParams();
  for (const input of form.match(/<input[^>]*>/g) || []) {
    const [name, type] = [attribute(input, 'name'), attribute(input, 'type')];
    if (name === '' || (type === 'radio' && body.has(name))) continue;
    body.append(name, values[attribute(input, 'id')] || attribute(input, 'value'));
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(page.url).origin };
  const action = new URL(attribute(form, 'action') || page.url, page.url).href;
  await go(action, { method: 'POST', headers, body: body.toString() });
}

/** What a client sends besides its authentication, by the endpoint. */
function formOf(bru, url) {
  if (url.endsWith('/revoke')) return { token: bru.getVar('token_to_revoke') || 'no-longer-needed' };
  if (url.endsWith('/par')) return { request: pushedRequest(bru) };
  return { grant_type: 'client_credentials', scope: 'payments accounts fundsconfirmations' };
}

/** The members of private_key_jwt (RFC 7523). */
function assertionOf(bru, clientId) {
  return {
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: signJwt(bru, { iss: clientId, sub: clientId, aud: bru.getEnvVar('issuer') }),
  };
}

/**
 * A customer of the sandbox signs in, approves and enters the code; the code of the redirect becomes a token, kept as
 * variable. An environment without a customer leaves that to a person with a browser.
 */
async function approveAs(bru, scope, variable) {
  const customer = { username: bru.getEnvVar('customer'), password: bru.getEnvVar('customer_password') };
  if (!customer.username) return;
  const browser = openBrowser(bru);
  // A request object can be used once, and Bruno has used the previous one.
  await browser.go(authorizationUrl(bru, scope));
  await submit(browser, 'sign-in', customer);
  await submit(browser, 'approve', {});
  await submit(browser, 'continue', { 'one-time-code': bru.getEnvVar('customer_code') });
  if (browser.page.left === undefined) throw new Error('The bank shows ' + browser.page.url + ' after the approval.');
  const code = new URLSearchParams(new URL(browser.page.left).hash.slice(1)).get('code');
  const clientId = bru.getVar('client_id');
  const { text } = await send(bru, bru.getEnvVar('token_url') + '/oauth2/token', {
    method: 'POST',
    certificate: true,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: bru.getEnvVar('redirect_uri'),
      ...assertionOf(bru, clientId),
    }).toString(),
  });
  bru.setVar(variable, JSON.parse(text).access_token);
}

module.exports = {
  /** The claims of RFC 7591, signed by the software. */
  signRegistration(req, bru) {
    const { alg } = signer(bru).header;
    const softwareId = bru.getEnvVar('software_id');
    req.setBody(
      signJwt(bru, {
        iss: softwareId,
        aud: bru.getEnvVar('issuer'),
        redirect_uris: [bru.getEnvVar('redirect_uri')],
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: alg,
        grant_types: ['client_credentials', 'authorization_code'],
        response_types: ['code id_token'],
        software_id: softwareId,
        scope: 'openid accounts payments fundsconfirmations',
        software_statement: fs.readFileSync(bru.getEnvVar('software_statement'), 'utf8').trim(),
        application_type: 'web',
        id_token_signed_response_alg: 'PS256',
        request_object_signing_alg: alg,
      }),
    );
  },

  /** The customer approves the payments: customer_token. */
  approveAsCustomer(bru) {
    return approveAs(bru, 'payments', 'customer_token');
  },

  /** The customer approves the payment: customer_token. */
  approvePayment(_req, bru) {
    return approveAs(bru, 'payments', 'customer_token');
  },

  /** The customer shares all accounts: accounts_token. */
  approveAccess(_req, bru) {
    return approveAs(bru, 'accounts', 'accounts_token');
  },

  /** private_key_jwt, for a token, to give one back, or to push a request. */
  authenticateClient(req, bru) {
    const clientId = bru.getVar('client_id');
    const form = { ...formOf(bru, req.getUrl()), ...assertionOf(bru, clientId) };
    req.setBody(new URLSearchParams(form).toString());
  },

  /**
   * The body in one line without spaces: these bytes are signed and sent. A name in double braces stands for the
   * example of the version, in versions.json.
   */
  signBody(req, bru) {
    const body = req.getBody();
    const [, example] = /^\s*\{\{(\w+)\}\}\s*$/.exec(body) || [];
    const value = example === undefined ? body : versionOf(bru).examples[example];
    setSignedBody(req, bru, JSON.stringify(typeof value === 'string' ? JSON.parse(value) : value));
  },

  /** A payment with the Initiation of the consent, and its Risk if it has one. */
  payApproved(req, bru) {
    const Data = { ConsentId: bru.getVar('consent_id'), Initiation: JSON.parse(bru.getVar('initiation')) };
    const risk = bru.getVar('risk');
    setSignedBody(req, bru, JSON.stringify({ Data, ...(risk ? { Risk: JSON.parse(risk) } : {}) }));
  },

  /** The address where the customer approves; also in the variable authorize_url. */
  signRequestObject(req, bru) {
    const url = authorizationUrl(bru);
    bru.setVar('authorize_url', url);
    console.log('The customer approves at ' + url);
    req.setUrl(url);
  },
};
