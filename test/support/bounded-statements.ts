/**
 * A statement with values for which it has much to do in the database that the test fills, and the blocks it may read.
 */
export interface BoundedStatement {
  /** blocks of 8 kB, hit or read, its own changes included */
  readonly most: number;
  /** SQL of each parameter */
  readonly values: readonly string[];
  /** the same of a variant, where a parameter may be NULL */
  readonly others?: readonly string[];
}

const id = (kind: string, number: number): string => `md5('${kind}${number}')::uuid`;
const none = `'00000000-0000-0000-0000-000000000000'`;
const batch = '2000';

/**
 * What a statement reads in a database with 400,000 rows in each table (test/bench/million-rows.mjs, skewed). A bound
 * is about one and a half times what was measured: a statement that begins to walk a table, or a list to its end, reads
 * tens of times as much.
 */
export const boundedStatements: Readonly<Record<string, BoundedStatement>> = {
  // They read or work off a list: the page they take, and by key what belongs to it.
  'take-file-payment': { most: 100, values: ['now()', '60', `'{}'`] },
  'note-payments-handed-over': {
    most: 100,
    values: [
      `ARRAY[md5('payment2')]`,
      `'{Pending}'`,
      `'{{}}'`,
      `'{true}'`,
      'now()',
      '1',
      id('file-payment', 2),
      '15',
      '0',
      `'{}'`,
    ],
  },
  'take-unsettled-payments': { most: 3_500, values: ['now()', '100'] },
  'take-domain-events': { most: 2_500, values: ['now()', '100', '3600', '10'] },
  'hasten-domain-events': { most: 24_000, values: ['now()', '2000'] },
  'count-undelivered-events': { most: 12_000, values: ['now()', '10000'] },
  'take-approval-requests': { most: 1_300, values: ['now()', '100'] },
  'take-decline-notices': { most: 1_800, values: ['now()', '100', '3600'] },
  'take-reconciliations': { most: 2_500, values: ['now()', 'now()', '100'] },
  'find-payments-waiting-for-approval': {
    most: 12_000,
    values: [`now() - interval '30 days'`, `'-infinity'`, none, batch],
  },
  'end-approvals-of-client': { most: 100, values: [id('client', 9), 'now()', `'{"Status":"x"}'`, '200'] },
  'end-overdue-approvals': {
    most: 100,
    values: [`ARRAY[${id('file-payment', 8)}, ${id('file-payment', 9)}]`, 'now()', `'{"Status":"x"}'`],
  },
  'find-unsealed-events': { most: 120, values: ['1000'] },
  'find-last-seal': { most: 100, values: [] },
  'record-keys': { most: 100, values: ['now()', `'{}'`, `'bench'`] },
  'find-approval-sessions-of-psu': { most: 100, values: [`'psu8'`, 'now()'] },
  'end-approval-sessions-of-psu': { most: 100, values: [`'psu8'`, 'NULL', 'NULL'] },
  'find-payment-to-approve': {
    most: 100,
    values: [`'psu8'`, `'{UK.OBIE.IBAN}'`, `'{account0}'`, id('file-payment', 9)],
  },
  'find-payments-awaiting-approval': {
    most: 1_000,
    values: [`'somebody else'`, `'{UK.OBIE.IBAN,UK.OBIE.IBAN}'`, `'{account0,account3000}'`],
  },
  'find-decided-payments': {
    most: 910,
    values: [`'somebody else'`, `'{UK.OBIE.IBAN,UK.OBIE.IBAN}'`, `'{account0,account3000}'`],
  },
  'revoke-tokens-of-client': { most: 100, values: [id('client', 7), 'now()', 'NULL', `'api'`] },
  'find-access-end': { most: 400, values: [] },
  'finish-access-end': { most: 400, values: [id('client', 7)] },
  'count-access-to-end': { most: 400, values: [id('client', 7)] },
  'end-access-of-client': { most: 400, values: [id('client', 7), 'now()', 'NULL', `'worker'`, batch] },
  'find-access-of-psu': { most: 100, values: [`'psu8'`, 'now()'] },
  'find-consents-to-access-of-psu': { most: 100, values: [`'psu8'`, 'now()'] },
  'find-orders-of-psu': { most: 100, values: [`'psu8'`] },
  'find-funds-questions': { most: 100, values: [`'psu8'`, 'NULL', '0'], others: [`'psu8'`, `'consent0'`, '0'] },
  'find-own-decisions': { most: 100, values: [`'psu8'`, '100'] },

  // Housekeeping: 2,000 rows at a time, with all their indexes.
  'reject-expired-consents': { most: 48_000, values: ['now()', batch, `'worker'`] },
  'expire-access-consents': { most: 48_000, values: ['now()', batch, `'worker'`] },
  'delete-expired-access-tokens': { most: 16_000, values: ['now()', batch] },
  'delete-expired-refresh-grants': { most: 16_000, values: ['now()', batch] },
  'delete-expired-authorization-codes': { most: 16_000, values: ['now()', batch, `now() + interval '1 minute'`] },
  'delete-expired-jwt-ids': { most: 25_000, values: ['now()', batch] },
  'delete-expired-idempotency-keys': { most: 19_000, values: ['now()', batch] },
  'delete-expired-sessions': { most: 12_000, values: ['now()', batch] },
  'delete-expired-approval-sessions': { most: 12_000, values: ['now()', batch] },
  'delete-expired-pushed-requests': { most: 13_000, values: ['now()', batch] },
  'delete-expired-operator-requests': { most: 12_000, values: ['now()', batch] },
  'delete-old-domain-events': { most: 15_000, values: [`now() - interval '1 day'`, batch] },
  'find-old-customer-data': { most: 2_100, values: [`now() - interval '1 day'`, '200', `'-infinity'`, none] },
  'erase-customer-data': { most: 100, values: [`ARRAY[${id('consent', 15)}]`, `'{{}}'`, 'now()', `'{{}}'`] },
  'erase-old-access': { most: 48_000, values: [`now() - interval '1 day'`, batch, 'now()', `'worker'`] },
  'note-sealed-events': { most: 100, values: ['20000', `ARRAY[${id('row', 6)}]`, `ARRAY['a'::bytea]`] },
  'find-erasable-seals': { most: 200, values: ['now()', '20'] },
  'erase-audit-events': { most: 4_800, values: ['20'] },
  'page-consumed-consents': { most: 100, values: [`'-infinity'`, `'-infinity'`, none, '1000'] },
  'page-changed-consents': { most: 800, values: [`now() - interval '900 days'`, `'-infinity'`, none, '1000'] },

  // What people ask for, and what metrics count.
  'count-recent-state-changes': { most: 230, values: [`now() - interval '5 minutes'`, '10000'] },
  'list-clients': { most: 32_000, values: ['NULL', 'NULL', `'software8'`] },
  'find-old-secrets': { most: 32_000, values: [`'x'`, none, '500'] },
  'count-old-hashes': { most: 32_000, values: [`'x'`] },
  'list-audit-events-of-client': { most: 100, values: [id('client', 7)] },
  'find-customer-data': { most: 100, values: [id('consent', 15)] },
  'count-stopped-file-payments': { most: 2_500, values: [] },
  'create-operator-request': { most: 100, values: ['gen_random_uuid()', `'{}'`, `'a'`, `'b'`, 'now()', 'now()'] },
  'find-operator-requests': { most: 8_000, values: ['now()'] },
  'confirm-operator-request': { most: 100, values: [id('row', 8), `'b'`, 'now()'] },
  'find-held-file-payments': { most: 24_000, values: [] },
  'find-consumed-consents': {
    most: 540,
    values: [`ARRAY[${Array.from({ length: 100 }, (_, number) => id('consent', number)).join(', ')}]`, `'-infinity'`],
  },
  'count-held-file-payments': { most: 24_000, values: [] },
  'seize-file-payment': { most: 100, values: [id('file-payment', 4)] },
  'note-payments-found': {
    most: 100,
    values: [`ARRAY[md5('payment2')]`, `'{Pending}'`, `'{{}}'`, `'{true}'`, 'now()', '0', id('file-payment', 2)],
  },
  'order-payment-stop': { most: 100, values: ['gen_random_uuid()', `'All'`, `''`, `'r'`, `'a'`, 'now()'] },
  'end-payment-stop': { most: 100, values: ['now()', `'PaymentOrder'`, `md5('stopped7')`] },
  'find-payment-stops': { most: 10_000, values: [] },
  'find-stopped-file-payments': { most: 3_000, values: [] },
  'find-begun-stopped-file-payments': { most: 13_000, values: [`'-infinity'`, none] },
  'put-aside-stopped': { most: 15_000, values: ['now()', `'due'`, `'-infinity'`, none, `'{}'`] },
  'put-back-released': { most: 15_000, values: ['now()', `'-infinity'`, none] },
  'release-file-payment': { most: 100, values: [id('file-payment', 5), 'now()'] },
  'retry-held-file-payment': { most: 100, values: [id('file-payment', 4), 'now()'] },
  'reject-held-file-payment': { most: 100, values: [id('file-payment', 4), 'now()', `'{}'`, 'now()', '1'] },
  'retry-held-settlement': { most: 100, values: [id('file-payment', 6), 'now()', 'now()'] },
  'conclude-held-payment': {
    most: 100,
    values: [`ARRAY[md5('payment6')]`, `'{Rejected}'`, `'{{}}'`, `'{true}'`, 'now()', '0'],
  },
  'find-open-differences': { most: 6_000, values: [] },
  'count-open-differences': { most: 2_400, values: [] },
  'read-seals': { most: 100, values: ['0', '1000'] },
  'read-sealed-events': { most: 100, values: ['0', '9'] },
  'read-orphaned-events': { most: 100, values: ['2000'] },
  'page-approvals-of-payments': { most: 2_400, values: [none] },
  'page-approvals-of-access': { most: 2_400, values: [none] },
  'page-further-approvals': { most: 2_400, values: [none, `''`] },
  'find-events-of-approvals': { most: 100, values: [`ARRAY[${none}]::uuid[]`] },
  'read-own-books': { most: 200, values: [`ARRAY[${id('consent', 5)}]::uuid[]`, 'now()'] },
};
