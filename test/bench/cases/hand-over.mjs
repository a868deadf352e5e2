import { v7 as uuidv7 } from 'uuid';
import { filePaymentIdOf, paymentIdOf } from '../../../dist/libs/payment-order/src/payment-id.js';
import { createInitiation } from '../api-requests.mjs';
import { databaseMilliseconds, databaseTimes } from '../database-cpu.mjs';
import { createEnvironment } from '../environment.mjs';
import { storeConsents } from '../file-payments-servers.mjs';
import { createPaymentFile } from '../payment-file.mjs';
import { Worker } from '../process.mjs';
import { floorHandOverSchema } from '../servers/schemas.mjs';

const file = createPaymentFile(150);
const initiation = createInitiation(file);

/** Approved files of 150 payments become due at once: reserved, handed over, noted as settled, completed. */
export const handOver = [0, 50, 500].map((delay) => ({
  name: `hand-over, bank of ${delay} ms`,
  rounds: { quick: 1, full: delay < 500 ? 7 : 5 },
  measure: (bench, options) => measureBank(bench, options, delay),
}));

async function measureBank(bench, { rounds, isQuick, postmaster, profile }, delay) {
  const files = isQuick ? (delay < 500 ? 20 : 12) : 40;
  const bank = await Worker.start('serve.mjs', ['stub-bank']);
  const rows = [];
  try {
    const { port } = await bank.ask({ type: 'start', settings: { pki: bench.pki, delay } }, 'ready');
    for (const each of await createServers(bench, delay))
      rows.push({
        ...each,
        workers: await startWorkers(bench, each, `https://localhost:${port}`, profile),
        results: [],
      });
    for (let round = 0; round <= rounds; round += 1) {
      // The first one opens the connections.
      const count = round === 0 ? files / 4 : files;
      for (const row of rows) {
        await row.store(count);
        const figures = await measureRound({ ...row, bench, bank, postmaster, payments: count * file.count });
        if (round > 0) row.results.push(figures);
      }
    }
  } finally {
    await Promise.all([bank, ...rows.flatMap(({ workers }) => workers)].map((worker) => worker.stop()));
  }
  return rows;
}

async function createServers(bench, delay) {
  const ours = async (name, count, callsAtOnce = 200) => {
    const database = `hand_over_${count}_${delay}_${callsAtOnce}`;
    const url = await bench.createOurs(database);
    return {
      name,
      url,
      count,
      module: 'worker-app',
      settings: (bankUrl, databaseUrl) => ({
        environment: {
          ...environmentOf(bench, databaseUrl),
          BANK_URL: bankUrl,
          BANK_CALLS_AT_ONCE: String(callsAtOnce),
        },
      }),
      store: (files) => storeOurs(bench, url, files),
      release: `UPDATE payment_orders SET next_attempt_at = now() WHERE status = 'InitiationPending'`,
      left: `SELECT count(*)::int AS count FROM payment_orders WHERE status <> 'InitiationCompleted'`,
      unsettled: `SELECT count(*)::int AS count FROM payments WHERE status <> 'AcceptedCreditSettlementCompleted' OR handed_over_at IS NULL`,
    };
  };
  const floor = await bench.createDatabase(`hand_over_floor_${delay}`);
  await bench.query(floor, floorHandOverSchema);
  return [
    await ours('ours', 1),
    await ours('two workers', 2),
    // What a slow bank takes at once decides, so one that takes more than by default is measured, too.
    ...(delay >= 500 ? [await ours('400 at once', 1, 400)] : []),
    {
      name: 'floor',
      url: floor,
      count: 1,
      module: 'floor-hand-over',
      settings: (bankUrl, databaseUrl) => ({ bankUrl, databaseUrl, pki: bench.pki, poolSize: bench.poolSize }),
      store: (files) => storeFloor(bench, floor, file, files),
      release: `UPDATE files SET due_at = now() WHERE status = 'InitiationPending'`,
      left: `SELECT count(*)::int AS count FROM files WHERE status <> 'InitiationCompleted'`,
      unsettled: `SELECT count(*)::int AS count FROM payments WHERE status <> 'AcceptedCreditSettlementCompleted' OR handed_over_at IS NULL`,
    },
  ];
}

const environmentOf = ({ poolSize, pki, serverKey, directoryUrl }, databaseUrl) => ({
  ...createEnvironment({ databaseUrl, poolSize, pki, signingKey: serverKey, directoryUrl }),
  RECONCILIATION_SECONDS: '0',
});

async function startWorkers(bench, { count, module, settings, url }, bankUrl, profile) {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const worker = await Worker.start('serve.mjs', [module], {
        ...(profile && { profile: `${module}-${count}-${index}` }),
      });
      await worker.ask({ type: 'start', settings: settings(bankUrl, url) }, 'ready');
      return worker;
    }),
  );
}

async function measureRound({ bench, url, workers, bank, postmaster, payments, release, left, unsettled }) {
  const before = await bank.ask({ type: 'report' }, 'report');
  await bench.query(url, 'CHECKPOINT');
  for (const worker of workers) await worker.ask({ type: 'reset' }, 'reset');
  const times = await databaseTimes(postmaster);
  const start = performance.now();
  const seconds = await bench.whileConnected(url, async (query) => {
    await query(release);
    while ((await query(left)).rows[0].count > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    return (performance.now() - start) / 1_000;
  });
  const databaseCpu = databaseMilliseconds(times, await databaseTimes(postmaster));
  const reports = await Promise.all(workers.map((worker) => worker.ask({ type: 'report' }, 'report')));
  const after = await bank.ask({ type: 'report' }, 'report');
  const [{ count }] = (await bench.query(url, unsettled)).rows;
  const [calls, distinct] = [after.payments - before.payments, after.distinct - before.distinct];
  if (count > 0 || calls !== payments || distinct !== payments)
    throw new Error(`${count} are not settled; of ${payments} the bank got ${calls} calls for ${distinct} payments.`);
  const sum = (member) => reports.reduce((total, report) => total + report[member], 0);
  return {
    rps: payments / seconds,
    cpu_ms_per_request: sum('cpuMilliseconds') / payments,
    database_cpu_ms: databaseCpu / payments,
    peak_rss_mb: Math.max(...reports.map(({ peakRssMegabytes }) => peakRssMegabytes)),
    sql_round_trips: sum('sqlRoundTrips') / payments,
    calls_under_way: after.most,
  };
}

async function storeOurs(bench, url, files) {
  const consentIds = Array.from({ length: files }, () => uuidv7());
  await storeConsents(bench, { name: 'ours', url, version: '3.1', initiation, file }, consentIds, 'Consumed');
  const payments = consentIds.flatMap((consentId) =>
    Array.from({ length: file.count }, (_, position) => paymentIdOf(consentId, position + 1)),
  );
  await bench.query(
    url,
    `WITH orders AS (
       INSERT INTO payment_orders (payment_order_id, consent_id, client_id, status, created_at, status_updated_at, approvals_required,
         approvals_received, approvals_updated_at, next_attempt_at)
       SELECT id, consent_id, $3, 'InitiationPending', now(), now(), 1, 1, now(), now() + interval '1 day'
         FROM unnest($1::uuid[], $2::uuid[]) AS given (id, consent_id) RETURNING payment_order_id, consent_id)
     INSERT INTO payments (payment_id, payment_order_id, position, amount, status, status_updated_at)
     SELECT ($4::text[])[(given.number - 1) * $5::int + item.number], given.id, item.number - 1, item.amount, 'Pending', now()
       FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS given (id, consent_id, number)
       JOIN instruction_lists AS list USING (consent_id)
      CROSS JOIN unnest(list.amounts) WITH ORDINALITY AS item (amount, number)`,
    [consentIds.map(filePaymentIdOf), consentIds, bench.client.clientId, payments, file.count],
  );
}

/** @returns the ids of so many files of the floor, none of which is due */
export async function storeFloor(bench, url, { body }, files) {
  const consentIds = Array.from({ length: files }, () => uuidv7());
  const { DomesticPayments: payments } = JSON.parse(body).File.Data;
  for (const id of consentIds) {
    const ids = payments.map((_, position) => paymentIdOf(id, position + 1));
    await bench.query(
      url,
      `WITH file AS (INSERT INTO files (id, status, payments) VALUES ($1, 'InitiationPending', $2))
       INSERT INTO payments (payment_id, status) SELECT unnest($3::text[]), 'Pending'`,
      [id, JSON.stringify(Object.fromEntries(payments.map((payment, index) => [ids[index], payment]))), ids],
    );
  }
  return consentIds;
}
