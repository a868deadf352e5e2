/**
 * The tables whose rows belong to a client, and the column that names it. Rows of one client are on one node, so that a
 * statement that names the client runs there as on a single server.
 */
export const columnOfClient: Readonly<Record<string, string>> = {
  access_consents: 'client_id',
  access_tokens: 'client_id',
  approval_requests: 'client_id',
  // Only a distributed database has the column; the few events without a client are on any node.
  audit_events: 'home_id',
  authorization_codes: 'client_id',
  authorization_sessions: 'client_id',
  domain_events: 'client_id',
  payment_approvals: 'client_id',
  payment_consents: 'client_id',
  payment_orders: 'client_id',
  idempotency_keys: 'client_id',
  instruction_lists: 'client_id',
  payment_files: 'client_id',
  payments: 'client_id',
  pushed_authorization_requests: 'client_id',
  reconciliations: 'client_id',
  refresh_grants: 'client_id',
  refresh_tokens: 'client_id',
};

/** Few rows, read with those of any client: each node has all of them. */
export const copiedTables = ['clients', 'payment_stops'] as const;
