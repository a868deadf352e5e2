/**
 * The client whose rows a statement reads or writes. Parameters are numbered as in SQL. Of an array, the first element
 * counts, because a batch is of one client.
 */
export type ClientOfStatement =
  /** the parameter is the client */
  | { readonly client: number }
  /** the client of this row; where there is none, the parameter `otherwise` */
  | { readonly of: readonly [table: string, column: string, parameter: number]; readonly otherwise?: number }
  /**
   * each client that has something to do: SQL with the first parameters of the statement, which gives client ids.
   * With `untilFound`, the first client with a row wins: the row is leased, so no other worker takes it.
   */
  | { readonly each: string; readonly untilFound?: true }
  /** of no client: all nodes are asked, without a lock; what is found is deleted by its key */
  | { readonly client: 'none' };

const session = { of: ['authorization_sessions', 'authorization_session_id', 1] } as const;
const filePayment = (parameter: number) => ({ of: ['payment_orders', 'payment_order_id', parameter] }) as const;
const consent = (parameter: number) => ({ of: ['payment_consents', 'consent_id', parameter] }) as const;
const access = (parameter: number) => ({ of: ['access_consents', 'consent_id', parameter] }) as const;

/** Maximum number of clients served at once. */
const mostClients = 20;

/** Clients with rows that fulfil a condition, the longest waiting first. */
const due = (table: string, column: string, condition: string): { readonly each: string } => ({
  each: `SELECT client_id FROM ${table} WHERE ${condition}
    GROUP BY client_id ORDER BY min(${column}) LIMIT ${mostClients}`,
});
const expired = (table: string, column = 'expires_at'): ClientOfStatement =>
  due(table, column, `${column} < $1::timestamptz`);
const ofPsu = (...tables: readonly string[]): ClientOfStatement => ({
  each: tables.map((table) => `SELECT client_id FROM ${table} WHERE psu_id = $1::text`).join(' UNION '),
});
const ofAccounts: ClientOfStatement = {
  each: `SELECT client_id FROM payment_consents WHERE approvals_required > 1 AND $1::text IS NOT NULL
    AND debtor_account ->> 'Identification' = ANY ($3::text[]) AND debtor_account ->> 'SchemeName' = ANY ($2::text[])
      GROUP BY client_id`,
};
const ofConsents: ClientOfStatement = {
  each: `SELECT client_id FROM payment_consents WHERE consent_id = ANY ($1::uuid[]) GROUP BY client_id`,
};
const ofPayments: ClientOfStatement = {
  each: `SELECT client_id FROM payments WHERE payment_id = ANY ($1::text[]) GROUP BY client_id`,
};
const ofFilePayments: ClientOfStatement = {
  each: `SELECT client_id FROM payment_orders WHERE payment_order_id = ANY ($1::uuid[]) GROUP BY client_id`,
};
const ofStopped: ClientOfStatement = {
  each: 'SELECT client_id FROM payment_orders WHERE stopped_at IS NOT NULL GROUP BY client_id',
};

/**
 * The client of each statement that names one in a distributed database. The others ask every node, or only tables of
 * which each node has a copy.
 */
export const clientsOfStatements: Readonly<Record<string, ClientOfStatement>> = {
  // By the client that asks.
  'stage-consents': { client: 2 },
  'store-payment-file': { client: 2 },
  'create-file-payment': { client: 2 },
  'find-idempotency-key': { client: 1 },
  'redeem-authorization-codes': { client: 2 },
  'use-refresh-token': { client: 2 },
  'revoke-token': { client: 2 },
  'revoke-reused-refresh-grant': { client: 2 },
  'revoke-grant-of-code': { client: 2 },
  'revoke-tokens-of-code': { client: 2 },
  'spend-authorization-code': { client: 2 },
  'revoke-tokens-of-client': { client: 1 },
  'register-clients': { client: 1 },
  'replace-client': { client: 1 },
  'renew-secret-hash': { client: 1 },
  'delete-client': { client: 1 },
  'change-client-status': { client: 1 },
  'remove-client': { client: 1 },
  'change-client-secret': { client: 1 },
  'end-access-of-client': { client: 1 },
  'end-approvals-of-client': { client: 1 },
  'start-authorization-session': { client: 3 },
  'find-authorization-session-of-request': { client: 3 },
  'find-pushed-authorization-request': { client: 2 },
  'end-access-consent': { client: 2 },
  'list-audit-events-of-client': { client: 1 },
  'record-audit-event': { client: 5 },
  'note-difference-event': { client: 4 },
  // By the row that is asked for, so that the statement can tell that it is another client's.
  'find-access-consent': access(1),
  'erase-access': access(1),
  'note-access-use': access(1),
  'withdraw-access-consent': access(1),
  'find-consents-for-upload': { ...consent(1), otherwise: 2 },
  'find-consents-for-payments': { ...consent(1), otherwise: 2 },
  'reject-awaiting-upload': consent(1),
  'find-customer-data': consent(1),
  'find-file-payments': filePayment(1),
  'find-payments': filePayment(1),
  'find-payment-file': consent(1),
  'find-payment-file-length': consent(1),
  'find-consent-of-file-payment': filePayment(1),
  'find-payment-to-stop': filePayment(1),
  'find-payment-to-approve': filePayment(4),
  'decide-payment-approval': filePayment(4),
  'release-file-payment': filePayment(1),
  'retry-held-file-payment': filePayment(1),
  'seize-file-payment': filePayment(1),
  'reject-held-file-payment': filePayment(1),
  'retry-held-settlement': filePayment(1),
  'note-payments-found': filePayment(7),
  'note-batch-accepted': filePayment(1),
  'note-payments-handed-over': filePayment(7),
  'complete-file-payment': filePayment(1),
  'fail-file-payment': filePayment(1),
  'retry-file-payment': filePayment(1),
  'note-file-payment-fault': filePayment(1),
  'conclude-held-payment': ofPayments,
  'release-settled-file-payment': { of: ['payments', 'payment_id', 1] },
  'acknowledge-differences': {
    each: `SELECT client_id FROM payment_orders WHERE payment_order_id = $1::uuid
      UNION SELECT client_id FROM payment_consents WHERE consent_id = $1::uuid`,
  },
  // By a hash.
  'find-active-access-tokens': { of: ['access_tokens', 'token_hash', 1] },
  'introspect-token': { of: ['access_tokens', 'token_hash', 1] },
  'find-authorization-codes': { of: ['authorization_codes', 'code_hash', 1] },
  'find-refresh-token': { of: ['refresh_tokens', 'token_hash', 1] },
  'end-refresh-grant-of-psu': { of: ['refresh_grants', 'code_hash', 1] },
  // By the session of the customer.
  'find-authorization-session': session,
  'find-authorization-session-with-consent': session,
  'enter-second-factor': session,
  'enter-consent-at-once': session,
  'complete-sign-in': session,
  'count-sign-in': session,
  'reserve-challenge': session,
  'give-challenge-back': session,
  'enter-challenge': session,
  'replace-second-factor': session,
  'claim-challenge': session,
  'release-challenge': session,
  'end-challenge': session,
  'keep-verification': session,
  'renew-session': session,
  'approve-authorization': session,
  'approve-access': session,
  'end-authorization-session': session,
  // A customer's rows: one client after the other.
  'find-access-of-psu': ofPsu('access_consents'),
  'find-consents-to-access-of-psu': ofPsu('access_consents'),
  'find-orders-of-psu': ofPsu('payment_consents'),
  'find-own-decisions': ofPsu('access_consents', 'payment_consents', 'payment_approvals'),
  'find-refresh-grants-of-psu': ofPsu('refresh_grants'),
  'find-payments-awaiting-approval': ofAccounts,
  'find-decided-payments': ofAccounts,
  // The bank's books.
  'note-payment-report': ofPayments,
  'note-payments-settled': ofPayments,
  'hold-unsettled-payments': ofPayments,
  'read-own-books': ofConsents,
  'note-equal-books': ofConsents,
  'postpone-reconciliations': ofConsents,
  'note-different-books': ofConsents,
  'remove-approval-requests': ofFilePayments,
  'end-overdue-approvals': ofFilePayments,
  'erase-customer-data': ofConsents,
  'put-aside-stopped': {
    each: `SELECT client_id FROM payment_orders
      WHERE status = 'InitiationPending' AND stopped_at IS NULL GROUP BY client_id`,
  },
  'put-back-released': ofStopped,
  'count-held-file-payments': {
    each: 'SELECT client_id FROM payment_orders WHERE held_at IS NOT NULL GROUP BY client_id',
  },
  // Queues: clients with something due are found without a lock; then their rows are locked, client by client.
  'take-file-payment': {
    ...due('payment_orders', 'next_attempt_at', 'next_attempt_at <= $1::timestamptz'),
    untilFound: true,
  },
  'take-unsettled-payments': due('payments', 'next_attempt_at', 'next_attempt_at <= $1::timestamptz'),
  'take-approval-requests': due('approval_requests', 'next_attempt_at', 'next_attempt_at <= $1::timestamptz'),
  'take-reconciliations': due('reconciliations', 'due_at', 'due_at <= $1::timestamptz'),
  'take-domain-events': due('domain_events', 'next_attempt_at', 'next_attempt_at <= $1::timestamptz'),
  'hasten-domain-events': {
    each: 'SELECT client_id FROM domain_events WHERE next_attempt_at > $1::timestamptz GROUP BY client_id',
  },
  'find-payments-waiting-for-approval': due(
    'payment_orders',
    'created_at',
    `status = 'InitiationPending' AND approvals_received < approvals_required`,
  ),
  // Housekeeping, like the queues.
  'reject-expired-consents': due(
    'payment_consents',
    'expires_at',
    `status IN ('AwaitingUpload', 'AwaitingAuthorisation', 'Authorised') AND expires_at <= $1::timestamptz`,
  ),
  'expire-access-consents': due(
    'access_consents',
    'expires_at',
    `status IN ('AwaitingAuthorisation', 'Authorised', 'Withdrawn') AND expires_at <= $1::timestamptz`,
  ),
  'erase-old-access': due(
    'access_consents',
    'status_updated_at',
    'erased_at IS NULL AND status_updated_at < $1::timestamptz',
  ),
  'find-old-customer-data': due(
    'payment_consents',
    'status_updated_at',
    'erased_at IS NULL AND status_updated_at < $1::timestamptz',
  ),
  'delete-expired-access-tokens': expired('access_tokens'),
  'delete-expired-refresh-grants': expired('refresh_grants'),
  'delete-expired-authorization-codes': due(
    'authorization_codes',
    'expires_at',
    'COALESCE(kept_until, expires_at) < $1::timestamptz',
  ),
  'delete-expired-jwt-ids': { client: 'none' },
  'delete-expired-idempotency-keys': expired('idempotency_keys'),
  'delete-expired-sessions': expired('authorization_sessions'),
  'delete-expired-pushed-requests': expired('pushed_authorization_requests'),
  'delete-old-domain-events': due('domain_events', 'occurred_at', 'occurred_at < $1::timestamptz'),
  'find-open-differences': {
    each: `SELECT client_id FROM reconciliations WHERE differences IS NOT NULL GROUP BY client_id`,
  },
};
