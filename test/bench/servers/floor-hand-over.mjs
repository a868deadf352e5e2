// The least code that hands payments over: a read, two writes and a reservation for each file, a call for each payment.
import { Agent, request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';

const mostCalls = 200;

export async function start({ databaseUrl, poolSize, pki, bankUrl }) {
  const { hostname, port } = new URL(bankUrl);
  const { certificate: cert, privateKey: key } = pki.client;
  const agent = new Agent({ keepAlive: true, maxSockets: mostCalls, ca: pki.ca, cert, key });
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  const waiting = [];
  const call = (path, key, body) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      const sent = request({ hostname, port, path, method: 'POST', agent, headers }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk)).on('end', () => resolve(JSON.parse(text)));
      });
      sent.on('error', reject).end(body);
    });
  let free = mostCalls;
  const handOver = async (paymentId, payment) => {
    if (free === 0) await new Promise((resolve) => waiting.push(resolve));
    else free -= 1;
    const { status } = await call('/payments', paymentId, JSON.stringify(payment));
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
    return status;
  };
  const processFile = async ({ id, payments }) => {
    const { decision } = await call('/payment-batches', id, JSON.stringify({ fileId: id }));
    await pool.query({
      name: 'reserve',
      text: `UPDATE files SET status = $2 WHERE id = $1`,
      values: [id, decision],
    });
    const ids = Object.keys(payments);
    const states = await Promise.all(ids.map((paymentId) => handOver(paymentId, payments[paymentId])));
    await pool.query({
      name: 'note',
      text: `WITH noted AS (
               UPDATE payments SET status = given.status, handed_over_at = now()
                 FROM unnest($2::text[], $3::text[]) AS given (payment_id, status) WHERE payments.payment_id = given.payment_id)
             UPDATE files SET status = 'InitiationCompleted' WHERE id = $1`,
      values: [id, ids, states],
    });
  };
  const work = async () => {
    for (;;) {
      const { rows } = await pool.query({
        name: 'take',
        text: `UPDATE files SET due_at = NULL WHERE id = (
                 SELECT id FROM files WHERE due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
               RETURNING id, payments`,
      });
      if (rows.length === 0) await pause(10);
      else {
        void processFile(rows[0]);
        while (waiting.length > 2 * mostCalls) await pause(1);
      }
    }
  };
  void work();
  return {};
}
