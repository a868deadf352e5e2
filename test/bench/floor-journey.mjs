// The floor of a journey: the floors of its steps one after the other, each with rows of its own.
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { createGetHeaders, createPostHeaders, createToken, floorTokenSql, pispOf } from './api-requests.mjs';
import { storeFloor } from './cases/hand-over.mjs';
import { codeVerifier, redirectUri, storeCodes } from './cases/token-authorization-code.mjs';
import { storeFloorConsents } from './cases/upload-file-150-payments.mjs';
import { createAuthorizationUrl } from './customer-journey.mjs';
import { storeConsents } from './file-payments-servers.mjs';
import { filePayments } from './kinds.mjs';
import { createPaymentFile } from './payment-file.mjs';
import { tokenOf } from './servers/floor-pages.mjs';
import {
  floorHandOverSchema,
  floorPagesSchema,
  floorPaymentsSchema,
  floorTokenSchema,
  floorUploadSchema,
} from './servers/schemas.mjs';
import { createAssertionForm, formHeaders } from './token-servers.mjs';
import { createTpp, untilNone } from './tpp.mjs';

const audience = 'https://localhost:8442/oauth2/token';
const leftSql = `SELECT 1 FROM files WHERE status <> 'InitiationCompleted' LIMIT 1`;
const formType = { 'content-type': 'application/x-www-form-urlencoded' };

/** @returns processes, and how a journey is prepared, walked and finished */
export async function createFloorJourney({ bench, kind, start, name, bankUrl }) {
  const { query, whileConnected, pki, client } = bench;
  const file = createPaymentFile(kind.count);
  const initiation = kind.createInitiation(file);
  const isFile = kind === filePayments;
  const servers = await startFloors({ bench, start, name, bankUrl });
  const { pages, token, payments, upload, handOver } = servers;
  const { token: accessToken, row } = createToken({ client, pki });
  for (const { url } of [payments, upload]) await query(url, floorTokenSql, row);
  const tpp = createTpp(pki);
  const base = pispOf('3.1');
  const signed = (body) => createPostHeaders({ client, token: accessToken, body });

  const requestToken = async (parameters) => {
    const body = await createAssertionForm({ parameters, client, audience });
    return tpp.post(token.port, '/oauth2/token', formHeaders, body);
  };
  const post = async (port, path, text) => {
    const body = Buffer.from(text);
    return tpp.post(port, `${base}/${path}`, await signed(body), body);
  };
  const approve = async (consentId) => {
    const customer = createTpp(pki);
    const { pathname, search } = new URL(await createAuthorizationUrl({ client, issuer: audience }, consentId));
    const opened = await customer.send(pages.port, pathname + search, { method: 'GET' });
    const cookie = opened.headers['set-cookie'][0];
    const csrf = tokenOf(cookie.slice('session='.length));
    const show = (path) => customer.send(pages.port, path, { method: 'GET', headers: { cookie } });
    const fill = (path, values) => {
      const body = new URLSearchParams({ csrf, ...values }).toString();
      return customer.send(pages.port, path, { method: 'POST', headers: { cookie, ...formType }, body });
    };
    await fill('/sign-in', { username: 'ada', password: 'ada-password' });
    await show('/consent');
    await fill('/consent', { account: '20000512345678' });
    await show('/code');
    await fill('/code', { code: '111111' });
    customer.close();
  };

  const prepare = async (count) => {
    const consentIds = Array.from({ length: count }, () => uuidv7());
    const codes = consentIds.map(() => randomBytes(32).toString('base64url'));
    await storeCodes.floor({ url: token.url, codes, client, query });
    if (isFile) await storeFloorConsents(bench, { url: upload.url, file }, consentIds);
    const given = { name: 'floor', url: payments.url, initiation, file };
    await storeConsents(bench, given, consentIds, 'Authorised');
    await query(pages.url, 'INSERT INTO payment_files SELECT unnest($1::uuid[]), $2', [consentIds, file.body]);
    const fileIds = await storeFloor(bench, handOver.url, file, count);
    return consentIds.map((consentId, index) => ({ consentId, code: codes[index], fileId: fileIds[index] }));
  };
  const walk = async ({ consentId, code, fileId }) => {
    await requestToken({ grant_type: 'client_credentials', scope: 'payments' });
    await post(payments.port, kind.consents, `{"Data":{"Initiation":${initiation}}${kind.risk}}`);
    if (isFile) await post(upload.port, `${kind.consents}/${consentId}/file`, file.body);
    await approve(consentId);
    const redirection = { redirect_uri: redirectUri, code_verifier: codeVerifier };
    await requestToken({ grant_type: 'authorization_code', code, ...redirection });
    const paid = `{"Data":{"ConsentId":"${consentId}","Initiation":${initiation}}${kind.risk}}`;
    const { Data: data } = await post(payments.port, kind.payments, paid);
    await query(handOver.url, 'UPDATE files SET due_at = now() WHERE id = $1', [fileId]);
    return data.FilePaymentId;
  };
  const finish = async (made) => {
    await whileConnected(handOver.url, (ask) => untilNone(ask, leftSql));
    const requests = made.map((id) =>
      tpp.get(payments.port, `${base}/${kind.payments}/${id}`, createGetHeaders({ token: accessToken })),
    );
    await Promise.all(requests);
  };
  const processes = {
    authorize: [pages.worker],
    token: [token.worker],
    api: [payments.worker, upload.worker],
    worker: [handOver.worker],
  };
  return { processes, prepare, walk, finish };
}

async function startFloors({ bench, start, name, bankUrl }) {
  const { createDatabase, query, pki, client, serverKey, poolSize } = bench;
  const known = { clientId: client.clientId, publicJwk: client.key.publicJwk };
  const shared = { pki, poolSize, bankUrl, client: known, serverKey: serverKey.privateJwk };
  const method = { audience, issuer: 'https://localhost:8442', method: 'private_key_jwt' };
  const floors = {
    pages: ['floor-pages', floorPagesSchema],
    token: ['floor-token', floorTokenSchema],
    payments: ['floor-payments', floorPaymentsSchema],
    upload: ['floor-upload', floorUploadSchema],
    handOver: ['floor-hand-over', floorHandOverSchema],
  };
  const started = await Promise.all(
    Object.entries(floors).map(async ([each, [module, schema]]) => {
      const url = await createDatabase(`${name}_floor_${each.toLowerCase()}`);
      await query(url, schema);
      return [each, { url, ...(await start(module, { ...shared, ...method, databaseUrl: url })) }];
    }),
  );
  return Object.fromEntries(started);
}
