// The floor of a customer's pages: the TPP's signed request, sign-in, the page of a file, approval and code. Each page is
// one statement, at most one call of the bank, an HMAC against forged forms and a template; the last one signs.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:https';
import { Pool } from 'pg';
import { createCompactJws } from '../sign-jws.mjs';
import { listen, openCompactJws, ps256Key, ps256PrivateKey } from './floor-parts.mjs';

const beginSql = `
  INSERT INTO sessions (session_hash, consent_id, expires_at) VALUES ($1, $2, now() + interval '10 minutes')`;
const signInSql = `
  UPDATE sessions SET psu_id = $2 WHERE session_hash = $1 AND psu_id IS NULL AND expires_at > now()`;
const findSql = `
  SELECT session.psu_id, file.content FROM sessions AS session JOIN payment_files AS file USING (consent_id)
  WHERE session_hash = $1 AND expires_at > now()`;
const challengeSql = `
  UPDATE sessions SET challenge_id = $2, debtor_account = $3 WHERE session_hash = $1 AND expires_at > now()`;
const approveSql = `
  WITH session AS (DELETE FROM sessions WHERE session_hash = $1 AND challenge_id IS NOT NULL AND expires_at > now()
    RETURNING consent_id, psu_id)
  INSERT INTO authorization_codes (code_hash, consent_id, psu_id, approved_hash, expires_at)
  SELECT $2, consent_id, psu_id, sha256(file.content), now() + interval '1 minute'
    FROM session JOIN payment_files AS file USING (consent_id) RETURNING consent_id`;

const hash = (value) => createHash('sha256').update(value).digest();

export async function start({ pki, databaseUrl, poolSize, bankUrl, client, serverKey }) {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  const run = (name, text, values) => pool.query({ name, text, values });
  const ask = callerOf(bankUrl, pki);
  const clientKey = client && ps256Key(client.publicJwk);
  const signingKey = serverKey && { kid: serverKey.kid, privateKey: ps256PrivateKey(serverKey) };

  const pages = {
    'GET /oauth2/authorize': async ({ query }) => {
      const { claims } = openCompactJws(query.get('request'), client.publicJwk.kid, clientKey);
      const session = randomBytes(32).toString('base64url');
      await run('begin', beginSql, [hash(session), claims.id_token.openbanking_intent_id.value]);
      const shown = page('<form method="post"><input name="username"><input name="password">');
      return { ...shown, headers: { ...shown.headers, 'set-cookie': `session=${session}` } };
    },
    'POST /sign-in': async ({ session, form }) => {
      const { psuId } = await ask('POST', '/psu-authentication/password', Object.fromEntries(form));
      await run('sign-in', signInSql, [hash(session), psuId]);
      return found('/consent');
    },
    'GET /consent': async ({ session }) => {
      const { rows } = await run('find', findSql, [hash(session)]);
      if (rows.length === 0) return { status: 401 };
      const { accounts } = await ask('GET', `/psus/${rows[0].psu_id}/payment-accounts`);
      const payments = JSON.parse(rows[0].content).File.Data.DomesticPayments;
      return page(writePage({ payments, accounts, token: tokenOf(session) }));
    },
    'POST /consent': async ({ session, form }) => {
      const { challengeId } = await ask('POST', '/psu-authentication/challenges', Object.fromEntries(form));
      await run('challenge', challengeSql, [hash(session), challengeId, form.get('account')]);
      return found('/code');
    },
    'GET /code': async () => page('<form method="post"><input name="code">'),
    'POST /code': async ({ session, form }) => {
      await ask('POST', '/psu-authentication/challenges/c/verification', Object.fromEntries(form));
      const code = randomBytes(32).toString('base64url');
      const { rows } = await run('approve', approveSql, [hash(session), hash(code)]);
      const claims = { aud: client.clientId, openbanking_intent_id: rows[0].consent_id, c_hash: half(code) };
      const idToken = await createCompactJws({ header: { typ: 'JWT' }, claims, key: signingKey });
      return found(`https://tpp.example/callback#${new URLSearchParams({ code, id_token: idToken })}`);
    },
  };
  return listen(pki, 'floor-pages', async ({ method, url, headers }, body) => {
    const [path, query] = url.split('?');
    const session = headers.cookie?.slice('session='.length);
    const form = new URLSearchParams(body.toString());
    if (method === 'POST' && form.get('csrf') !== tokenOf(session)) return { status: 403 };
    return pages[`${method} ${path}`]({ session, form, query: new URLSearchParams(query) });
  });
}

const half = (text) => hash(text).subarray(0, 16).toString('base64url');
export const tokenOf = (session) => createHmac('sha256', session).update('form').digest('base64url');
const found = (location) => ({ status: 303, headers: { location } });
const page = (text) => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  body: Buffer.from(text),
});

function callerOf(bankUrl, { ca, client }) {
  const { hostname, port } = new URL(bankUrl);
  const agent = new Agent({ keepAlive: true, ca, cert: client.certificate, key: client.privateKey });
  return (method, path, content) =>
    new Promise((resolve, reject) => {
      const sent = request({ hostname, port, method, path, agent }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk)).on('end', () => resolve(JSON.parse(text)));
      });
      sent.on('error', reject).end(content && JSON.stringify(content));
    });
}

const escape = (text) => text.replaceAll(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);

const writePage = ({
  payments,
  accounts,
  token,
}) => `<!doctype html><title>Payments to approve</title><form method="post">
<input type="hidden" name="csrf" value="${token}">
${accounts.map(({ name, identification }) => `<label><input type="radio" name="account" value="${escape(identification)}">${escape(name)}</label>`).join('')}
<table>${payments
  .map(
    ({
      CreditorAccount: { Name, Identification },
      InstructedAmount: { Amount },
      RemittanceInformation: { Reference },
    }) => `<tr><td>${escape(Name)}<td>${escape(Identification)}<td>${escape(Reference)}<td>${escape(Amount)}`,
  )
  .join('')}</table><button>Continue</button></form>`;
