import { createHash } from 'node:crypto';
import { readFileTerms } from '../../dist/libs/consent/src/index.js';
import { readUploadedFile } from '../../dist/libs/file-payment/src/read-uploaded-file.js';
import { anyBank } from '../../dist/libs/obie-rules/src/index.js';
import { apiNodeOptions, createEnvironment } from './environment.mjs';
import { createToken, floorTokenSql, oursTokenSql } from './api-requests.mjs';
import { filePayments, makeSingleList } from './kinds.mjs';
import { millionRows } from './million-rows.mjs';
import { createPaymentFile } from './payment-file.mjs';
import { floorPaymentsSchema } from './servers/schemas.mjs';

/**
 * Our API and its floor, each with a token and a database; our API on a million rows; and the same processes with
 * requests of v4.0.
 * @param bench the context of every case
 * @param prefix of the databases' names
 * @param options.floorModule,options.floorSchema another floor than that of consents and file payments
 * @param options.kind what is paid
 * @param options.further `[{ name, version, isBase64Signed }]`: other requests to the same process
 * @param options.furtherFloors `[{ name, settings }]`: floors that do more, on the same database
 * @param createRequests makes the requests of a round, given `{ name, url, token, version, isBase64Signed, kind, file,
 * initiation }` and their count
 */
export async function prepareFilePayments(
  bench,
  prefix,
  createRequests,
  {
    kind = filePayments,
    floorModule = 'floor-payments',
    floorSchema = floorPaymentsSchema,
    further = [],
    furtherFloors = [],
  } = {},
) {
  const { createDatabase, createOurs, query, pki, client, serverKey, directoryUrl, poolSize } = bench;
  const ours = await createOurs(`${prefix}_ours`);
  const floor = await createDatabase(`${prefix}_floor`);
  await query(floor, floorSchema);
  const filled = await bench.filledDatabase();
  const { token, row } = createToken({ client, pki });
  await query(floor, floorTokenSql, row);
  for (const url of [ours, filled?.url]) if (url !== undefined) await query(url, oursTokenSql, row);
  const environment = (databaseUrl) =>
    createEnvironment({ databaseUrl, poolSize, pki, signingKey: serverKey, directoryUrl });
  const floorSettings = {
    pki,
    poolSize,
    databaseUrl: floor,
    client: { clientId: client.clientId, publicJwk: client.key.publicJwk },
    serverKey: serverKey.privateJwk,
  };
  const our = {
    process: 'ours',
    module: 'api-app',
    nodeOptions: apiNodeOptions,
    settings: { environment: environment(ours) },
    url: ours,
  };
  const servers = [
    { ...our, name: 'ours' },
    { ...our, name: 'v4.0', version: '4.0', isBase64Signed: true },
    ...further.map((row) => ({ ...our, ...row })),
    { name: 'floor', module: floorModule, settings: floorSettings, url: floor },
    ...furtherFloors.map(({ name, settings }) => ({
      name,
      module: floorModule,
      settings: { ...floorSettings, ...settings },
      url: floor,
    })),
    // Requests of both versions, as in the process of ours: with half as many, half as much is compiled.
    ...millionRows(filled, (url) => ({ ...our, settings: { environment: environment(url) } })).flatMap((server) => [
      { ...server, process: server.name },
      {
        ...server,
        process: server.name,
        name: `${server.name}, v4.0`,
        version: '4.0',
        isBase64Signed: true,
        against: 'v4.0',
      },
    ]),
  ].map((server) => {
    const file = createPaymentFile(kind.count, server.version);
    const asked = { token, version: file.version, kind, file, initiation: kind.createInitiation(file), ...server };
    return { ...asked, createRequests: (count) => createRequests(asked, count) };
  });
  return { servers };
}

/** @returns the list that the upload of a file makes */
function makeList(body, initiation) {
  const digest = createHash('sha256').update(body).digest();
  const terms = readFileTerms(initiation);
  const found = { digest, document: JSON.parse(body), terms, initiation, bank: anyBank, now: new Date() };
  return readUploadedFile(found).list;
}

const onceApproved = (value) => `CASE WHEN $3 <> 'AwaitingAuthorisation' THEN ${value} END`;

/** @returns a token for the payment of each consent: of its own approval, or that of the client */
export async function storeTokens({ query, client, pki }, { name, url, token, kind }, consentIds) {
  if (!kind.isPaidByCustomer) return consentIds.map(() => token);
  const made = consentIds.map(() => createToken({ client, pki }));
  const columns = [0, 1, 2, 3].map((column) => made.map(({ row }) => row[column]));
  const given =
    'unnest($1::bytea[], $2::uuid[], $3::text[], $4::timestamptz[], $5::uuid[]) AS given (hash, client, thumbprint, until, consent)';
  const ours = `INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, issued_at, expires_at, consent_id, psu_id)
    SELECT hash, client, 'authorization_code', 'payments', thumbprint, now(), until, consent, 'psu' FROM ${given}`;
  const floor = `INSERT INTO access_tokens SELECT hash, client, thumbprint, until FROM ${given}`;
  await query(url, name === 'floor' ? floor : ours, [...columns, consentIds]);
  return made.map((each) => each.token);
}

/** Stores consents in one state, in our database with a file or a single payment, or in the floor's. */
export async function storeConsents(
  { query, client },
  { name, url, version, initiation, file, kind = filePayments },
  consentIds,
  status,
) {
  const values = [consentIds, client.clientId, status, initiation];
  const isOurs = name !== 'floor';
  if (isOurs) {
    // As after an upload, and an approval where the state says so.
    const isFile = kind === filePayments;
    const list = isFile ? makeList(file.body, JSON.parse(initiation)) : makeSingleList(initiation, version);
    await query(
      url,
      `INSERT INTO payment_consents (kind, consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation, charges,
         local_instrument, number_of_transactions, control_sum, psu_id, approvals_required, approval_hash, approved_hash,
         api_version, authorised_at, challenge_id, debtor_account, risk)
       SELECT $9, consent_id, $2, $3, now(), now(), now() + interval '1 day', $4, '[]', 'UK.OBIE.FPS', $5, $6, ${onceApproved("'psu'")}, ${onceApproved('1')}, $7::bytea, ${onceApproved('$7::bytea')},
         $8, ${onceApproved('now()')}, ${onceApproved("'c'")}, ${onceApproved("'{}'::jsonb")}, $10
       FROM unnest($1::uuid[]) AS consent_id`,
      [...values, file.count, file.controlSum, list.approvalHash, version, kind.name, isFile ? null : '{}'],
    );
    await query(
      url,
      `INSERT INTO instruction_lists (consent_id, instructions, amounts)
       SELECT consent_id, $2, $3 FROM unnest($1::uuid[]) AS consent_id`,
      [consentIds, list.instructions, list.amounts],
    );
    if (!isFile) return;
    await query(
      url,
      `INSERT INTO payment_files (consent_id, content, uploaded_at)
       SELECT consent_id, '{}', now() FROM unnest($1::uuid[]) AS consent_id`,
      [consentIds],
    );
  } else {
    await query(
      url,
      `INSERT INTO consents (consent_id, client_id, status, initiation, number_of_transactions, created_at)
       SELECT consent_id, $2, $3, $4, $5, now() FROM unnest($1::uuid[]) AS consent_id`,
      [consentIds, client.clientId, status, JSON.stringify(JSON.parse(initiation)), file.count],
    );
  }
}
