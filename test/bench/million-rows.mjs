// Our database with a million rows, or another number, in each table that grows with use: years of a bank's traffic.
// Every second row is the bench client's, because a few TPPs make most of the requests.

/**
 * @param filled address of the filled database, and its number of rows
 * @returns our server once more on that database, as a list; none without it
 */
export const millionRows = ({ url, rows } = {}, toServer) =>
  url === undefined
    ? []
    : [{ name: rows === defaultRows ? 'million-rows' : `${rows.toLocaleString('en-GB')} rows`, ...toServer(url), url }];

export const defaultRows = 1_000_000;
/** Digits that begin with a time of the past, as those of a UUIDv7 do: new rows are the last in the index. */
const pastDigits = (kind, number) => `'018' || substr(md5('${kind}' || ${number}), 4)`;
const withTime = ['consent', 'access-consent', 'file-payment'];
/** 'row': of what no other table refers to */
export const id = (kind, number = 'number') =>
  withTime.includes(kind) ? `(${pastDigits(kind, number)})::uuid` : `md5('${kind}' || ${number})::uuid`;
export const paymentId = (number) => `(${pastDigits('payment', number)})`;
const hash = (kind) => `sha256(('${kind}' || number)::bytea)`;
/** of a token: begins with its time, as `hashToken` does */
const datedHash = (kind) => `overlay(${hash(kind)} PLACING substring(int4send((number / 4096)::int) FROM 2) FROM 1)`;
const clientId = `CASE WHEN number % 2 = 0 THEN $1::uuid ELSE ${id('client')} END`;
const past = `timestamptz '2026-01-01' - number * interval '30 seconds'`;
const later = `now() + interval '1 hour' + number * interval '1 second'`;

/** Per table: columns, and the value of each. Rows that can expire have not yet, so none could have been deleted. */
const contents = {
  clients: {
    client_id: id('client'),
    status: `'Active'`,
    org_id: `'org' || number`,
    org_name: `'TPP ' || number`,
    software_id: `'software' || number`,
    client_name: `'TPP ' || number`,
    redirect_uris: `'{https://tpp.example/callback}'::text[]`,
    grant_types: `'{authorization_code,client_credentials}'::text[]`,
    response_types: `'{code id_token}'::text[]`,
    scope: `'openid payments'`,
    token_endpoint_auth_method: `'private_key_jwt'`,
    id_token_signed_response_alg: `'PS256'`,
    request_object_signing_alg: `'PS256'`,
    jwks_uri: `'https://keys.example/' || number`,
    directory_issuer: `'Bench Directory'`,
    secret_hash: hash('secret'),
    metadata: `'{}'::jsonb`,
    client_id_issued_at: past,
    updated_at: past,
  },
  used_jwt_ids: {
    purpose: `'client-assertion'`,
    issuer: `(${clientId})::text`,
    jti: `md5('jti' || number)`,
    expires_at: later,
  },
  payment_consents: {
    kind: `'file-payment'`,
    api_version: `'3.1'`,
    consent_id: id('consent'),
    client_id: clientId,
    status: `'Consumed'`,
    created_at: past,
    status_updated_at: past,
    expires_at: past,
    initiation: `'{"FileType":"UK.OBIE.PaymentInitiation.3.1","FileReference":"' || number || '"}'`,
    charges: `'[]'`,
    local_instrument: `'UK.OBIE.FPS'`,
    number_of_transactions: '1',
    control_sum: '1',
    psu_id: `'psu' || number`,
    approvals_required: '1',
    authorised_at: past,
    challenge_id: `'challenge'`,
    approved_hash: `'\\x00'`,
    debtor_account: `'{}'::jsonb`,
  },
  access_consents: {
    consent_id: id('access-consent'),
    client_id: clientId,
    kind: `'account-access'`,
    api_version: `'3.1'`,
    status: `'Revoked'`,
    created_at: past,
    status_updated_at: past,
    terms: `'{"permissions":["ReadAccountsBasic"]}'::jsonb`,
    psu_id: `'psu' || number`,
    accounts: `'[]'::jsonb`,
    authorised_at: past,
    challenge_id: `'challenge'`,
  },
  payment_files: {
    consent_id: id('consent'),
    content: `'{}'::bytea`,
    uploaded_at: past,
  },
  instruction_lists: {
    consent_id: id('consent'),
    instructions: `'{}'`,
    amounts: `'{1}'::numeric[]`,
  },
  payment_orders: {
    payment_order_id: id('file-payment'),
    consent_id: id('consent'),
    client_id: clientId,
    status: `'InitiationCompleted'`,
    created_at: past,
    status_updated_at: past,
    approvals_required: '1',
    approvals_received: '1',
    approvals_updated_at: past,
  },
  payments: {
    payment_id: paymentId('number'),
    payment_order_id: id('file-payment'),
    position: '0',
    amount: '1',
    status: `'AcceptedSettlementCompleted'`,
    status_updated_at: past,
  },
  reconciliations: { consent_id: id('consent'), changed_at: past, reconciled_at: past },
  payment_approvals: {
    payment_order_id: id('file-payment'),
    psu_id: `'psu' || number`,
    decision: `'Approved'`,
    acr: `'urn:openbanking:psd2:sca'`,
    authenticated_at: past,
    decided_at: past,
    challenge_id: `'challenge'`,
  },
  payment_stops: {
    stop_id: id('row'),
    scope: `'PaymentOrder'`,
    target: `md5('stopped' || number)`,
    reason: `'reason'`,
    actor: `'operator'`,
    ordered_at: past,
    ended_at: `CASE WHEN number % 2 = 0 THEN now() END`,
  },
  operator_requests: {
    request_id: id('row'),
    command: `'{}'::jsonb`,
    requested_by: `'operator'`,
    reason: `'reason'`,
    requested_at: past,
    expires_at: past,
  },
  approval_requests: { payment_order_id: id('file-payment'), next_attempt_at: later },
  decline_notices: { decline_notice_id: id('row'), report: `'{}'::jsonb`, next_attempt_at: later },
  approval_sessions: {
    approval_session_id: id('row'),
    session_hash: hash('approval-session'),
    psu_id: `'psu' || number`,
    psu_name: `'PSU'`,
    created_at: past,
    expires_at: later,
  },
  authorization_sessions: {
    authorization_session_id: id('row'),
    session_hash: hash('session'),
    client_id: clientId,
    consent_id: id('consent'),
    request: `'{}'::jsonb`,
    stage: `'Completed'`,
    created_at: past,
    expires_at: later,
  },
  pushed_authorization_requests: {
    request_uri_hash: datedHash('pushed-request'),
    client_id: clientId,
    request: `'request'`,
    expires_at: later,
  },
  authorization_codes: {
    code_hash: hash('code'),
    client_id: clientId,
    consent_id: id('consent'),
    redirect_uri: `'https://tpp.example/callback'`,
    scope: `'openid payments'`,
    psu_id: `'psu' || number`,
    subject: `'subject' || number`,
    acr: `'urn:openbanking:psd2:sca'`,
    authenticated_at: past,
    consented_at: past,
    expires_at: later,
    redeemed_at: past,
  },
  access_tokens: {
    token_hash: datedHash('token'),
    client_id: clientId,
    grant_type: `'authorization_code'`,
    scope: `'payments'`,
    certificate_thumbprint: `encode(${hash('certificate')}, 'base64')`,
    consent_id: id('consent'),
    psu_id: `'psu' || number`,
    code_hash: hash('code'),
    issued_at: past,
    expires_at: later,
  },
  refresh_grants: {
    code_hash: hash('code'),
    client_id: clientId,
    scope: `'openid accounts'`,
    certificate_subject: `'CN=' || number`,
    psu_id: `'psu' || number`,
    consented_at: past,
    issued_at: past,
    expires_at: later,
  },
  refresh_tokens: { token_hash: datedHash('refresh-token'), code_hash: hash('code'), issued_at: past },
  idempotency_keys: {
    client_id: clientId,
    operation: `'POST file-payment-consents'`,
    idempotency_key: `md5('key' || number)`,
    request_hash: hash('request'),
    resource_id: id('consent'),
    expires_at: later,
  },
  audit_events: {
    event_id: id('row'),
    occurred_at: past,
    actor: `'bench'`,
    action: `'client-registered'`,
    client_id: clientId,
    details: `'{}'::jsonb`,
  },
  domain_events: {
    api_version: `'3.1'`,
    event_id: id('row'),
    event_type: `'file-payment.completed'`,
    resource_type: `'file-payment'`,
    resource_id: id('file-payment'),
    client_id: clientId,
    status: `'InitiationCompleted'`,
    occurred_at: past,
    delivered_at: past,
  },
  audit_seals: { seal_number: 'number', sealed_at: past, seal: `'seal'` },
};

const ago = `now() - number * interval '1 second'`;
/** SQL: the rows with these remainders of eight. */
const of8 = (...remainders) => `number % 8 IN (${remainders.join(', ')})`;
const only8 = (value, ...remainders) => `CASE WHEN ${of8(...remainders)} THEN ${value} END`;

/**
 * The differences after a long time of failures. Of eight file payments two wait for approvals, two for the bank, one
 * is held before it was handed over and one after, one is stopped, one is completed; half of what a customer gave
 * lasts; half of what expires has expired.
 */
const skewed = {
  payment_consents: {
    status: `CASE WHEN ${of8(6)} THEN 'Authorised' WHEN ${of8(7)} THEN 'AwaitingUpload' ELSE 'Consumed' END`,
    expires_at: `CASE WHEN ${of8(6)} THEN ${later} ELSE ${past} END`,
    approvals_required: `CASE WHEN ${of8(0, 1)} THEN 2 ELSE 1 END`,
    debtor_account: `jsonb_build_object('SchemeName', 'UK.OBIE.IBAN', 'Identification', 'account' || number / 100, 'Name', 'Shared')`,
  },
  access_consents: {
    status: `CASE WHEN ${of8(0, 1, 2, 3)} THEN 'Authorised' WHEN ${of8(4, 5)} THEN 'Withdrawn' ELSE 'Revoked' END`,
    expires_at: `CASE WHEN ${of8(0, 1, 2)} THEN ${later} WHEN ${of8(3)} THEN ${past} END`,
  },
  payment_orders: {
    status: `CASE WHEN ${of8(6, 7)} THEN 'InitiationCompleted' ELSE 'InitiationPending' END`,
    created_at: ago,
    approvals_required: `CASE WHEN ${of8(0, 1)} THEN 2 ELSE 1 END`,
    next_attempt_at: only8(ago, 2, 3),
    held_at: only8(ago, 4, 6),
    stopped_at: only8(ago, 5),
    stop_cause: only8(`'Operator'`, 5),
  },
  payments: {
    status: `CASE WHEN ${of8(7)} THEN 'AcceptedSettlementCompleted' ELSE 'Pending' END`,
    next_attempt_at: only8(ago, 0, 1, 2),
    handed_over_at: only8(ago, 6, 7),
  },
  payment_stops: {
    target: `CASE WHEN ${of8(5)} THEN ${id('file-payment')}::text ELSE md5('stopped' || number) END`,
  },
  reconciliations: {
    due_at: only8(ago, 0, 1, 2, 3),
    differences: only8(`'[{"kind":"missing"}]'::jsonb`, 4, 5),
    different_since: only8(ago, 4, 5),
  },
  operator_requests: { expires_at: `CASE WHEN ${of8(0, 1)} THEN ${later} ELSE ${past} END` },
  approval_requests: { next_attempt_at: ago },
  decline_notices: { next_attempt_at: ago },
  approval_sessions: { expires_at: `CASE WHEN ${of8(0, 1, 2, 3)} THEN ${later} ELSE ${past} END` },
  authorization_sessions: { expires_at: `CASE WHEN ${of8(0, 1, 2, 3)} THEN ${later} ELSE ${past} END` },
  pushed_authorization_requests: { expires_at: `CASE WHEN ${of8(0, 1, 2, 3)} THEN ${later} ELSE ${past} END` },
  used_jwt_ids: { expires_at: `CASE WHEN ${of8(0, 1, 2, 3)} THEN ${later} ELSE ${past} END` },
  idempotency_keys: { expires_at: `CASE WHEN ${of8(0, 1, 2, 3)} THEN ${later} ELSE ${past} END` },
  // Long ago, but kept for what lasts.
  authorization_codes: { expires_at: past, kept_until: only8(later, 0, 1, 2, 3, 4, 5) },
  access_tokens: { expires_at: `CASE WHEN ${of8(0, 1, 2, 3, 4, 5)} THEN ${later} ELSE ${past} END` },
  refresh_grants: {
    expires_at: `CASE WHEN ${of8(0, 1, 2, 3, 4, 5)} THEN ${later} ELSE ${past} END`,
    consent_id: only8(id('access-consent'), 0, 1, 2, 3),
  },
  audit_events: {
    // A customer has some questions about funds, of two consents.
    action: `CASE WHEN ${of8(0)} THEN 'funds.confirmed' ELSE 'client-registered' END`,
    details: `CASE WHEN ${of8(0)} THEN jsonb_build_object('psuId', 'psu' || number / 100, 'consentId', 'consent' || number % 16) ELSE '{}' END`,
    seal_number: only8('number / 100', 0, 1, 2, 3, 4, 5),
    seal_position: only8('number % 100', 0, 1, 2, 3, 4, 5),
    event_hash: only8(hash('event'), 0, 1, 2, 3, 4, 5),
  },
  domain_events: {
    next_attempt_at: only8(ago, 0, 1, 2, 3),
    occurred_at: `CASE WHEN ${of8(0, 1)} THEN ${ago} ELSE ${past} END`,
  },
};

/**
 * Tables that stay small with any traffic: schema changes, a row for each kind of work that one process does at a time,
 * and the removed clients whose open consents the worker has yet to end.
 */
const smallTables = ['migrations', 'works', 'access_consent_ends'];

/**
 * Fills every table of a database that has our schema and the bench client. Builds indexes after the rows, and does not
 * check foreign keys (all hold) row by row, which takes seconds instead of minutes.
 */
export async function fillDatabase({ url, owner, rows, query }) {
  await nameUnknownTables({ url, query });
  const waiting = Object.keys(contents);
  const fillNext = async () => {
    for (let table = waiting.shift(); table !== undefined; table = waiting.shift()) {
      await query(url, fillSql(table, owner, rows));
      const ownFactor = `SELECT FROM pg_class WHERE relname = $1 AND reloptions IS NOT NULL`;
      const { rows: found } = await query(url, ownFactor, [table]);
      if (found.length === 0) await query(url, `ALTER TABLE ${table} SET (fillfactor = ${withoutGaps})`);
      await query(url, `VACUUM (ANALYZE) ${table}`);
    }
  };
  await Promise.all([fillNext(), fillNext()]);
  await query(url, 'CHECKPOINT');
}

/**
 * Percent. Each of the full pages has a gap in which a smaller row would fit, so every new row would get a page of its
 * own, and write it into the log as a whole. Where small and large rows arrive in turn, there are few such gaps.
 */
const withoutGaps = 98;

const fillSql = (table, owner, rows) => `
  SET session_replication_role = replica;
  SET maintenance_work_mem = '512MB';
  UPDATE pg_index SET indisready = false WHERE indrelid = '${table}'::regclass;
  ${insertRowsSql(table, { owner, first: 1, last: rows })};
  REINDEX TABLE ${table}`;

/**
 * @param changes columns with another value
 * @returns a statement that writes the rows of these numbers; half of them are the owner's
 */
export const insertRowsSql = (table, numbers, changes = {}) =>
  insertSql(table, { ...contents[table], ...changes }, numbers);

/** To make an id takes longer than to write its row: those that many tables have are made once. */
const sharedIds = ['client', 'consent', 'file-payment', 'row'];
export const makeIdsSql = `CREATE TEMPORARY TABLE ids AS
  SELECT number, ${sharedIds.map((kind) => `${id(kind)} AS "${kind}"`).join(', ')} FROM generate_series(1, ${defaultRows}) AS number`;

/**
 * @returns a statement that writes a million rows of a service with many waiting, lasting, held and expired rows, which
 * match those of the other tables; {@link makeIdsSql} comes before it on the same connection
 */
export const insertSkewedRowsSql = (table, owner) => {
  const sql = insertSql(table, { ...contents[table], ...skewed[table] }, { owner, from: 'ids' });
  return sharedIds.reduce((text, kind) => text.replaceAll(id(kind), `"${kind}"`), sql);
};

const insertSql = (table, columns, { owner, first, last, from = `generate_series(${first}, ${last}) AS number` }) => `
  INSERT INTO ${table} (${Object.keys(columns).join(', ')})
  SELECT ${Object.values(columns).join(', ').replaceAll('$1', `'${owner}'`)} FROM ${from}`;

/** The tables that grow with use. */
export const growingTables = Object.keys(contents);

/** A newer table should be added to this list; until then its case is measured without rows, and says so. */
async function nameUnknownTables({ url, query }) {
  const { rows: tables } = await query(
    url,
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const unknown = tables
    .map(({ relname }) => relname)
    .filter((name) => !(name in contents) && !smallTables.includes(name));
  if (unknown.length > 0) console.log(`  left empty, for million-rows.mjs does not know them: ${unknown.join(', ')}`);
}
