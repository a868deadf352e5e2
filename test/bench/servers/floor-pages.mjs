// The floor of the page of a file: one statement that finds session and file, the bank's answer about the accounts, an
// HMAC against forged forms and a template.
import { createHash, createHmac } from 'node:crypto';
import { Agent, request } from 'node:https';
import { Pool } from 'pg';
import { listen } from './floor-parts.mjs';

const findSql = `
  SELECT session.psu_id, file.content FROM sessions AS session JOIN payment_files AS file USING (consent_id)
  WHERE session_hash = $1 AND expires_at > $2`;

export async function start({ pki, databaseUrl, poolSize, bankUrl }) {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  const { hostname, port } = new URL(bankUrl);
  const { certificate: cert, privateKey: key } = pki.client;
  const agent = new Agent({ keepAlive: true, ca: pki.ca, cert, key });
  const findAccounts = (psuId) =>
    new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path: `/psus/${psuId}/payment-accounts`, agent }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk)).on('end', () => resolve(JSON.parse(text).accounts));
      });
      sent.on('error', reject).end();
    });
  return listen(pki, 'floor-pages', async ({ headers }) => {
    const session = headers.cookie.slice('session='.length);
    const values = [createHash('sha256').update(session).digest(), new Date()];
    const { rows } = await pool.query({ name: 'find', text: findSql, values });
    if (rows.length === 0) return { status: 401 };
    const accounts = await findAccounts(rows[0].psu_id);
    const payments = JSON.parse(rows[0].content).File.Data.DomesticPayments;
    const token = createHmac('sha256', session).update('form').digest('base64url');
    const body = Buffer.from(writePage({ payments, accounts, token }));
    return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }, body };
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
