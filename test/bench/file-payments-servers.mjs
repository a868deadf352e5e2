import { createEnvironment } from './environment.mjs';
import { createInitiation, createToken, floorTokenSql, oursTokenSql } from './api-requests.mjs';
import { createOurDatabase } from './our-database.mjs';
import { createPaymentFile } from './payment-file.mjs';
import { floorPaymentsSchema } from './servers/schemas.mjs';

/**
 * Our API and its floor, with a token and databases of their own.
 * @param bench what every case gets
 * @param prefix of the databases' names
 * @param createRequests makes the requests of a round, given `{ name, url, token, file, initiation }` and their count
 */
export async function prepareFilePayments(bench, prefix, createRequests) {
  const { createDatabase, query, pki, client, serverKey, directoryUrl, poolSize } = bench;
  const [ours, floor] = await Promise.all(['ours', 'floor'].map((each) => createDatabase(`${prefix}_${each}`)));
  await createOurDatabase({ url: ours, client, jwksUri: `${directoryUrl}/software.jwks`, query });
  await query(floor, floorPaymentsSchema);
  const { token, row } = createToken({ client, pki });
  await query(ours, oursTokenSql, row);
  await query(floor, floorTokenSql, row);
  const file = createPaymentFile();
  const shared = { token, file, initiation: createInitiation(file) };
  const environment = createEnvironment({ databaseUrl: ours, poolSize, pki, signingKey: serverKey, directoryUrl });
  const floorSettings = {
    pki,
    poolSize,
    databaseUrl: floor,
    client: { clientId: client.clientId, publicJwk: client.key.publicJwk },
    serverKey: serverKey.privateJwk,
  };
  const servers = [
    { name: 'ours', module: 'api-app', settings: { environment }, url: ours },
    { name: 'floor', module: 'floor-payments', settings: floorSettings, url: floor },
  ].map((server) => ({ ...server, createRequests: (count) => createRequests({ ...shared, ...server }, count) }));
  return { servers, ours, floor };
}

/** Stores consents in one state with the file's payment ids, in our database or in the floor's. */
export async function storeConsents({ query, client }, { name, url, initiation, file }, consentIds, status) {
  const values = [consentIds, client.clientId, status, initiation];
  if (name === 'ours') {
    await query(
      url,
      `INSERT INTO file_payment_consents (consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation, charges,
         local_instrument, number_of_transactions, control_sum, psu_id, approvals_required)
       SELECT consent_id, $2, $3, now(), now(), now() + interval '1 day', $4, '[]', 'UK.OBIE.FPS', $5, $6, 'psu', 1
       FROM unnest($1::uuid[]) AS consent_id`,
      [...values, file.count, file.controlSum],
    );
  } else {
    await query(
      url,
      `INSERT INTO consents (consent_id, client_id, status, initiation, created_at)
       SELECT consent_id, $2, $3, $4, now() FROM unnest($1::uuid[]) AS consent_id`,
      [consentIds, client.clientId, status, JSON.stringify(JSON.parse(initiation))],
    );
  }
  const isOurs = name === 'ours';
  await query(
    url,
    `INSERT INTO payment_files (consent_id, payment_ids${isOurs ? ', content, uploaded_at' : ''})
     SELECT consent_id, array_agg(replace(gen_random_uuid()::text, '-', ''))${isOurs ? ", '{}', now()" : ''}
     FROM unnest($1::uuid[]) AS consent_id, generate_series(1, $2::int) GROUP BY consent_id`,
    [consentIds, file.count],
  );
}
