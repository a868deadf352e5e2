import { columnOfClient } from './distributed-tables.js';

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

/** Maximum number of clients served at once. */
const mostClients = 20;

/** Clients with rows that fulfil a condition, the longest waiting first. */
const due = (table: string, column: string, condition: string): { readonly each: string } => ({
  each: `SELECT client_id FROM ${table} WHERE ${condition}
    GROUP BY client_id ORDER BY min(${column}) LIMIT ${mostClients}`,
});
const allWith = (table: string, condition: string): ClientOfStatement => ({
  each: `SELECT client_id FROM ${table} WHERE ${condition} GROUP BY client_id`,
});
const ofPsu = (...tables: readonly string[]): ClientOfStatement => ({
  each: tables.map((table) => `SELECT client_id FROM ${table} WHERE psu_id = $1::text`).join(' UNION '),
});
const ofAccounts = allWith(
  'payment_consents',
  `approvals_required > 1 AND $1::text IS NOT NULL AND debtor_account ->> 'Identification' = ANY ($3::text[])
    AND debtor_account ->> 'SchemeName' = ANY ($2::text[])`,
);
const ofConsents = allWith('payment_consents', 'consent_id = ANY ($1::uuid[])');
const ofPayments = allWith('payments', 'payment_id = ANY ($1::text[])');
const ofFilePayments = allWith('payment_orders', 'payment_order_id = ANY ($1::uuid[])');
const filePayment = (parameter: number) => ({ of: ['payment_orders', 'payment_order_id', parameter] }) as const;
const consentOrClient: ClientOfStatement = { of: ['payment_consents', 'consent_id', 1], otherwise: 2 };

/** Statements whose client their SQL does not tell. */
export const others: Readonly<Record<string, ClientOfStatement>> = {
  'record-audit-event': { client: 5 },
  'note-difference-event': { client: 4 },
  // By the row, so that the statement can tell that it is another client's.
  'find-consents-for-upload': consentOrClient,
  'find-consents-for-payments': consentOrClient,
  'release-file-payment': filePayment(1),
  // Their payments may be none.
  'note-payments-found': filePayment(7),
  'note-payments-handed-over': filePayment(7),
  'find-customer-data': { of: ['payment_consents', 'consent_id', 1] },
  'renew-session': { of: ['authorization_sessions', 'authorization_session_id', 1] },
  'conclude-held-payment': ofPayments,
  'acknowledge-differences': {
    each: `SELECT client_id FROM payment_orders WHERE payment_order_id = $1::uuid
      UNION SELECT client_id FROM payment_consents WHERE consent_id = $1::uuid`,
  },
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
  'put-aside-stopped': allWith('payment_orders', `status = 'InitiationPending' AND stopped_at IS NULL`),
  'put-back-released': allWith('payment_orders', 'stopped_at IS NOT NULL'),
  'count-held-file-payments': allWith('payment_orders', 'held_at IS NOT NULL'),
  'hasten-domain-events': allWith('domain_events', 'next_attempt_at > $1::timestamptz'),
  'find-open-differences': allWith('reconciliations', 'differences IS NOT NULL'),
  'find-payments-waiting-for-approval': due(
    'payment_orders',
    'created_at',
    `status = 'InitiationPending' AND approvals_received < approvals_required`,
  ),
  'find-old-customer-data': due(
    'payment_consents',
    'status_updated_at',
    'erased_at IS NULL AND status_updated_at < $1::timestamptz',
  ),
  'delete-expired-jwt-ids': { client: 'none' },
};

const raw = String.raw;
const table = `(${Object.keys(columnOfClient).join('|')})`;
const keys = 'consent_id|payment_order_id|payment_id|token_hash|code_hash|authorization_session_id';
const lists = /\bunnest\(([^)]*)\)(?: WITH ORDINALITY)?\s+AS (\w+) \(([^)]*)\)/g;
const row = new RegExp(
  raw`\b(?:FROM|JOIN|UPDATE) ${table}\b(?:(?!\b(?:FROM|JOIN|UPDATE|INTO) \w)[^;])*?\b(${keys}) = \$(\d+)`,
);
const condition = raw`(?:(?!\b(?:FROM|WHERE)\b)[^;])*?`;
const order = raw`\w+|COALESCE\([^()]*\)`;
const queue = new RegExp(
  raw`\bFROM ${table}\s+WHERE (${condition})\s+ORDER BY (${order}) LIMIT (\$\d|1)\s+FOR UPDATE SKIP`,
);

/**
 * @returns the client of a statement in a distributed database; undefined if it asks every node, or only tables of
 * which each node has a copy. The SQL tells it: by `client_id = $1`, by the key of a row, or by a queue. Of a queue,
 * clients with something due are found without a lock; then their rows are locked, client by client.
 */
export function clientOf(name: string, sql: string): ClientOfStatement | undefined {
  if (Object.hasOwn(others, name)) return others[name];
  let text = sql;
  for (const [, values = '', alias, columns = ''] of sql.matchAll(lists)) {
    const given = values.match(/\$\d+/g) ?? [];
    for (const [index, column] of columns.split(/,\s*/).entries()) {
      const value = given[index];
      if (value === undefined) break;
      text = text.replaceAll(`${alias}.${column} `, `${value} `).replaceAll(`${alias}.${column})`, `${value})`);
      if (column === 'client_id') return { client: Number(value.slice(1)) };
    }
  }
  const [, client] = /\bclient_id = \$(\d+)/.exec(text) ?? [];
  if (client !== undefined) return { client: Number(client) };
  const [, of, key, parameter] = row.exec(text) ?? [];
  if (of !== undefined && key !== undefined) return { of: [of, key, Number(parameter)] };
  const [, from, isDue = '', at = '', limit] = queue.exec(sql) ?? [];
  if (from === undefined) return undefined;
  return limit === '1' ? { ...due(from, at, isDue), untilFound: true } : due(from, at, isDue);
}
