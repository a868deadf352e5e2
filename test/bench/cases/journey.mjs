import { completed } from '../answer-checks.mjs';
import { createGetHeaders, createPostHeaders, pispOf } from '../api-requests.mjs';
import { approveAs, redirectUri } from '../customer-journey.mjs';
import { databaseMilliseconds, databaseTimes } from '../database-cpu.mjs';
import { apiNodeOptions, createEnvironment, tokenNodeOptions } from '../environment.mjs';
import { createFloorJourney } from '../floor-journey.mjs';
import { domesticPayments, filePayments } from '../kinds.mjs';
import { createPaymentFile } from '../payment-file.mjs';
import { Worker } from '../process.mjs';
import { createAssertionForm, formHeaders } from '../token-servers.mjs';
import { createTpp, untilNone } from '../tpp.mjs';

const leftSql = `SELECT 1 FROM payment_orders WHERE status = 'InitiationPending' LIMIT 1`;
/** Journeys at the same time. */
const lanes = 8;

/**
 * Whole journeys, from the TPP's token to the state of the payment that was made: consent, upload, the customer's pages
 * and code, payment, hand-over. Their rate, and the processor time of each process for one of them.
 */
export const journey = [
  { name: 'journey', kind: filePayments, versions: ['3.1', '4.0'] },
  { name: 'journey-domestic', kind: domesticPayments, versions: ['4.0'] },
].map(({ name, kind, versions }) => ({
  name,
  rounds: { quick: 2, full: 7 },
  measure: (bench, options) => measureJourneys(bench, options, { name, kind, versions }),
}));

async function measureJourneys(bench, { rounds, isQuick, postmaster, profile }, { name, kind, versions }) {
  const count = isQuick ? 16 : 50;
  const bank = await Worker.start('serve.mjs', ['stub-bank']);
  const ends = [() => bank.stop()];
  const start = async (module, settings, nodeOptions) => {
    const worker = await Worker.start('serve.mjs', [module], {
      nodeOptions,
      ...(profile && { profile: `${name}-${module}` }),
    });
    ends.push(() => worker.stop());
    const { port } = await worker.ask({ type: 'start', settings }, 'ready');
    return { worker, port };
  };
  try {
    const { port } = await bank.ask({ type: 'start', settings: { pki: bench.pki, delay: 0 } }, 'ready');
    const world = { bench, kind, start, name: name.replace('-', '_'), bankUrl: `https://localhost:${port}` };
    const ours = await createOurJourneys(world, versions);
    const floor = await createFloorJourney(world);
    const rows = [...ours, { ...floor, name: 'floor' }].map((row) => ({ ...row, results: [] }));
    // Five processes with much code each take long to warm up.
    const warmUps = isQuick ? 1 : 3;
    for (let round = 1 - warmUps; round <= rounds; round += 1) {
      for (const row of rows) {
        const figures = await measureRound(row, { count, postmaster });
        if (round > 0) row.results.push(figures);
      }
    }
    return rows;
  } finally {
    await Promise.all(ends.map((end) => end()));
  }
}

/** @param row.processes `{ authorize: [worker], token, api, worker }` */
async function measureRound({ processes, prepare, walk, finish }, { count, postmaster }) {
  const prepared = await prepare(count);
  const all = Object.values(processes).flat();
  for (const worker of all) await worker.ask({ type: 'reset' }, 'reset');
  const times = await databaseTimes(postmaster);
  const startedAt = performance.now();
  const left = prepared.values();
  const made = [];
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const each of left) made.push(await walk(each));
    }),
  );
  await finish(made);
  const seconds = (performance.now() - startedAt) / 1_000;
  const databaseCpu = databaseMilliseconds(times, await databaseTimes(postmaster));
  const reports = new Map();
  for (const worker of all) reports.set(worker, await worker.ask({ type: 'report' }, 'report'));
  const sumOf = (workers, member) => workers.reduce((sum, worker) => sum + reports.get(worker)[member], 0) / count;
  const byProcess = Object.entries(processes).map(([name, workers]) => [
    `${name}_cpu_ms`,
    sumOf(workers, 'cpuMilliseconds'),
  ]);
  return {
    rps: count / seconds,
    cpu_ms_per_request: sumOf(all, 'cpuMilliseconds'),
    database_cpu_ms: databaseCpu / count,
    ...Object.fromEntries(byProcess),
    sql_round_trips: sumOf(all, 'sqlRoundTrips'),
    signatures: sumOf(all, 'signatures'),
  };
}

async function createOurJourneys({ bench, kind, start, name, bankUrl }, versions) {
  const { createOurs, whileConnected, pki, client, serverKey, directoryUrl, poolSize } = bench;
  const url = await createOurs(name);
  const environment = {
    ...createEnvironment({ databaseUrl: url, poolSize, pki, signingKey: serverKey, directoryUrl }),
    BANK_URL: bankUrl,
    SIGN_INS_PER_ADDRESS: '0',
    SIGN_INS_PER_MINUTE: '0',
    RECONCILIATION_SECONDS: '0',
  };
  const authorize = await start('authorize-app', { environment });
  const token = await start('token-app', { environment }, tokenNodeOptions);
  const api = await start('api-app', { environment }, apiNodeOptions);
  const worker = await start('worker-app', { environment });
  const tpp = createTpp(pki);
  const issuer = `${environment.BASE_URL}/open-banking/v3.0`;
  const requestToken = async (parameters) => {
    const audience = `${environment.TOKEN_URL}/oauth2/token`;
    const body = await createAssertionForm({ parameters, client, audience });
    return (await tpp.post(token.port, '/oauth2/token', formHeaders, body)).access_token;
  };
  const ofVersion = (version) => {
    const file = createPaymentFile(kind.count, version);
    const initiation = kind.createInitiation(file);
    const base = pispOf(version);
    const post = async (path, accessToken, text) => {
      const body = Buffer.from(text);
      const signed = { client, token: accessToken, body, isBase64Signed: version === '4.0' };
      return tpp.post(api.port, `${base}/${path}`, await createPostHeaders(signed), body);
    };
    const walk = async () => {
      const accessToken = await requestToken({ grant_type: 'client_credentials', scope: 'payments' });
      const staged = await post(kind.consents, accessToken, `{"Data":{"Initiation":${initiation}}${kind.risk}}`);
      const { ConsentId: consentId } = staged.Data;
      if (kind === filePayments) await post(`${kind.consents}/${consentId}/file`, accessToken, file.body);
      const code = await approveAs({ pki, client, issuer }, authorize.port, consentId);
      const redirection = { code, redirect_uri: redirectUri };
      const approved = await requestToken({ grant_type: 'authorization_code', ...redirection });
      const paid = `{"Data":{"ConsentId":"${consentId}","Initiation":${initiation}}${kind.risk}}`;
      const { Data: data } = await post(kind.payments, approved, paid);
      return { id: data.FilePaymentId ?? data.DomesticPaymentId, accessToken };
    };
    const finish = async (made) => {
      await whileConnected(url, (query) => untilNone(query, leftSql));
      await Promise.all(
        made.map(async ({ id, accessToken }) => {
          const headers = createGetHeaders({ token: accessToken });
          const { Data: data } = await tpp.get(api.port, `${base}/${kind.payments}/${id}`, headers);
          if (!completed.has(data.Status)) throw new Error(`${id} is ${data.Status}`);
        }),
      );
    };
    return {
      name: version === versions[0] ? 'ours' : `v${version}`,
      prepare: (count) => Array.from({ length: count }),
      walk,
      finish,
    };
  };
  const processes = { authorize, token, api, worker };
  const workers = Object.entries(processes).map(([each, { worker: started }]) => [each, [started]]);
  return versions.map((version) => ({ ...ofVersion(version), processes: Object.fromEntries(workers) }));
}
