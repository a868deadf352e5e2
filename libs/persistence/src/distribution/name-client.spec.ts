import { describe, expect, it } from '@jest/globals';
import { nameClient } from './name-client.js';

const words = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim();

describe('a statement for the rows of one client', () => {
  it.each([
    [
      'what it reads, under the name that it has',
      'SELECT a FROM payment_orders AS payment LEFT JOIN clients USING (client_id) WHERE a = $1',
      `SELECT a FROM (SELECT * FROM payment_orders WHERE client_id = $2::uuid) AS payment LEFT JOIN clients
        USING (client_id) WHERE a = $1`,
    ],
    [
      'what it reads without another name, inside of parentheses, too',
      'SELECT (SELECT max(a) FROM payments WHERE payments.b = $1) FROM unnest($2::int[]) AS c CROSS JOIN payments',
      `SELECT (SELECT max(a) FROM (SELECT * FROM payments WHERE client_id = $3::uuid) AS payments WHERE
        payments.b = $1) FROM unnest($2::int[]) AS c CROSS JOIN (SELECT * FROM payments WHERE client_id =
        $3::uuid) AS payments`,
    ],
    [
      'what it changes, behind conditions of other rows',
      `UPDATE payments AS p SET a = (SELECT c FROM b WHERE (d)) FROM (SELECT e FROM f WHERE g) AS h WHERE p.d =
        h.d RETURNING a`,
      `UPDATE payments AS p SET a = (SELECT c FROM b WHERE (d)) FROM (SELECT e FROM f WHERE g) AS h WHERE
        p.client_id = $1::uuid AND p.d = h.d RETURNING a`,
    ],
    [
      'what it changes, in one query and in the next',
      'WITH x AS (UPDATE payments SET a = 1 WHERE b), y AS (UPDATE payment_orders SET a = 1 WHERE b) SELECT 1',
      `WITH x AS (UPDATE payments SET a = 1 WHERE payments.client_id = $1::uuid AND b), y AS (UPDATE
        payment_orders SET a = 1 WHERE payment_orders.client_id = $1::uuid AND b) SELECT 1`,
    ],
    [
      'what it deletes',
      `DELETE FROM access_tokens WHERE token_hash = ANY (ARRAY(SELECT token_hash FROM access_tokens LIMIT $1 FOR
        UPDATE SKIP LOCKED))`,
      `DELETE FROM access_tokens WHERE access_tokens.client_id = $2::uuid AND token_hash = ANY (ARRAY(SELECT
        token_hash FROM (SELECT * FROM access_tokens WHERE client_id = $2::uuid) AS access_tokens LIMIT $1 FOR
        UPDATE SKIP LOCKED))`,
    ],
    [
      'what it adds, and the key by which that may be there',
      `INSERT INTO reconciliations AS known (consent_id) SELECT consent_id FROM a ON CONFLICT (consent_id) DO
        UPDATE SET b = 1 WHERE known.c RETURNING b`,
      `INSERT INTO reconciliations AS known (client_id, consent_id) SELECT $1::uuid, consent_id FROM a ON
        CONFLICT (client_id, consent_id) DO UPDATE SET b = 1 WHERE known.c RETURNING b`,
    ],
    [
      'a row that it adds',
      'INSERT INTO audit_events (event_id, client_id) VALUES ($1, $2)',
      'INSERT INTO audit_events (home_id, event_id, client_id) VALUES ($3::uuid, $1, $2)',
    ],
    [
      'not what says its client already, nor what every node has',
      `INSERT INTO idempotency_keys (client_id, a) SELECT client_id, b FROM clients ON CONFLICT (client_id, a)
        DO NOTHING`,
      `INSERT INTO idempotency_keys (client_id, a) SELECT client_id, b FROM clients ON CONFLICT (client_id, a)
        DO NOTHING`,
    ],
    [
      'no column of that name',
      'SELECT a IS DISTINCT FROM payments.b FROM c',
      'SELECT a IS DISTINCT FROM payments.b FROM c',
    ],
  ])('names the client of %s', (_what, sql, named) => {
    expect(words(nameClient(sql))).toBe(words(named));
  });
});
