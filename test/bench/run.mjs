// npm run bench [-- --quick] [-- --only NAME ...] [-- --empty | --rows NUMBER] [-- --profile]
import { randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { Client } from 'pg';
import { callOf, CommandLineProgram } from '#libs/command-line';
import { startEmbeddedPostgres } from '../../dist/apps/sandbox/src/postgres/index.js';
import * as approvalPagesCase from './cases/approval-pages.mjs';
import * as burstCase from './cases/burst.mjs';
import { connection } from './cases/connection.mjs';
import { createPayment } from './cases/create-file-payment.mjs';
import { handOver } from './cases/hand-over.mjs';
import * as introspectionCase from './cases/introspection.mjs';
import * as memoryCase from './cases/memory.mjs';
import { journey } from './cases/journey.mjs';
import * as loadCase from './cases/load.mjs';
import { readPayment } from './cases/read-file-payment.mjs';
import * as registrationCase from './cases/register-client.mjs';
import * as reportFileCase from './cases/report-file.mjs';
import { stageConsent } from './cases/stage-consent.mjs';
import { authorizationCode } from './cases/token-authorization-code.mjs';
import { privateKeyJwt, tlsClientAuth } from './cases/token-client-credentials.mjs';
import * as uploadCase from './cases/upload-file-150-payments.mjs';
import * as worstUploadsCase from './cases/worst-uploads.mjs';
import { defaultRows, fillDatabase } from './million-rows.mjs';
import { createOurDatabase } from './our-database.mjs';
import { startDirectory } from './directory.mjs';
import { measure, medianRatio, medians } from './measure.mjs';
import { createPki, createSigningKey } from './tls.mjs';
import { readCommandLine } from '../support/read-command-line.mjs';

const cases = [
  privateKeyJwt,
  tlsClientAuth,
  authorizationCode,
  ...stageConsent,
  uploadCase,
  worstUploadsCase,
  ...createPayment,
  ...readPayment,
  reportFileCase,
  registrationCase,
  introspectionCase,
  approvalPagesCase,
  ...connection,
  burstCase,
  loadCase,
  memoryCase,
  ...handOver,
  ...journey,
];
const resultsFile = join(import.meta.dirname, '..', '..', 'bench-results.json');
const poolSize = 10;
const journeyColumns = ['authorize', 'token', 'api', 'worker', 'database'];

const options = await readOptions();
const selected = cases.filter(({ name }) => options.only?.includes(name) ?? true);

const directory = await mkdtemp(join(tmpdir(), 'bench-'));
const postgres = await startEmbeddedPostgres({ directory });
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    // The servers and the load generator end when this process ends.
    await postgres.remove();
    process.exit(1);
  });
}
const client = {
  clientId: randomUUID(),
  tlsClientId: randomUUID(),
  orgId: '0015800001041REAAY',
  softwareId: '4fgQxEvzCmjNyLOaAHCPAM',
  key: createSigningKey('client-key'),
};
const pki = await createPki(client);
client.subjectDn = pki.client.subject;
let filled;
let template;
const keyHost = await startDirectory({ pki, keySet: { keys: [client.key.publicJwk] } });
const bench = {
  createDatabase,
  createOurs,
  filledDatabase,
  query,
  whileConnected,
  pki,
  client,
  serverKey: createSigningKey('server-key'),
  directoryUrl: keyHost.url,
  poolSize,
};

const [{ pid }] = (
  await query(postgres.url('postgres'), `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`)
).rows;
const postmaster = Number(pid);

const results = [];
const failures = [];
try {
  for (const each of selected) {
    if (each.isOffered === false) console.log(`${each.name}: not offered by Node ${process.versions.node}`);
    // What the others cost is worth knowing.
    else
      await runCase(each).then(
        (row) => results.push(row),
        (error) => failures.push(`${each.name}: ${error.message}`),
      );
  }
} finally {
  await keyHost.stop();
  await postgres.remove();
}
const machine = {
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  memory_gb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  platform: `${process.platform}-${process.arch}`,
};
await writeFile(
  resultsFile,
  `${JSON.stringify({ machine, mode: options.quick ? 'quick' : 'full', cases: results }, null, 2)}\n`,
);
printResults(results);
for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exitCode = 1;

async function runCase(each) {
  console.log(`${each.name} ...`);
  const start = performance.now();
  const row = await measureCase(each);
  const seconds = Math.round((performance.now() - start) / 1_000);
  console.log(`  ${seconds} s`);
  return { ...row, seconds };
}

async function measureCase(each) {
  const { quick, full } = each.rounds ?? { quick: 3, full: 11 };
  const rounds = options.quick ? quick : full;
  if (each.measure === undefined) return compare(each.name, await measureRequests(each, rounds));
  const { quick: isQuick, profile } = options;
  return compare(each.name, await each.measure(bench, { rounds, isQuick, postmaster, profile }));
}

async function measureRequests(
  { check, requests, prepare, warmUp: first, connections = 20, group, pace, idle, collectsGarbage },
  rounds,
) {
  const perRound = options.quick ? requests.quick : requests.full;
  const warmUp = first ?? (options.quick ? 1 : 3) * perRound;
  const { servers, verify, expected, certified = pki.client } = await prepare(bench);
  const tls = { ca: pki.ca, certificate: certified.certificate, privateKey: certified.privateKey };
  const rows = await measure({
    servers,
    postmaster,
    rounds,
    requests: perRound,
    warmUp,
    connections,
    group,
    pace,
    idleSeconds: options.quick ? idle?.quick : idle?.full,
    collectsGarbage,
    tls,
    check,
    expected,
    profile: options.profile,
  });
  await verify({ answers: warmUp + perRound * rounds, measured: rows.map(({ results }) => medians(results)) });
  return rows.map((row, index) => ({ ...row, against: servers[index].against }));
}

/**
 * @param rows `[{ name, results, against }]`: `against` is the name of the row of ours that has the same to do, by
 *   default the first one, and null where nothing is to be compared
 */
function compare(name, rows) {
  const [{ results: first }, ...others] = rows;
  const compared = others.filter(({ against }) => against !== null);
  const ratiosOf = (ratioOf) =>
    Object.fromEntries(
      compared.map(({ name: other, against, results }) => {
        const ours = rows.find((row) => row.name === against)?.results ?? first;
        return [other, Number(ratioOf(ours, results).toFixed(3))];
      }),
    );
  return {
    case: name,
    ...medians(first),
    ratios: ratiosOf((ours, theirs) => medianRatio(ours, theirs, ({ rps }) => rps)),
    cpu_ratios: ratiosOf((ours, theirs) => medianRatio(theirs, ours, (round) => round.cpu_ms_per_request)),
    total_cpu_ratios: ratiosOf((ours, theirs) => medianRatio(theirs, ours, withDatabase)),
    compared: Object.fromEntries(others.map(({ name: other, results }) => [other, medians(results)])),
  };
}

async function readOptions() {
  const program = new CommandLineProgram(
    callOf('bench'),
    'Measure each case against the least code that does the same.',
  )
    .option('--quick', 'fewer rounds and requests, without the database of a million rows')
    .addOption(new Option('--only <names...>', 'these cases').choices(cases.map(({ name }) => name)))
    .option('--empty', 'leave out the database of a million rows')
    .option('--rows <number>', 'another number of rows for it: ten million need 60 GB', readRows, defaultRows)
    .option('--profile', 'write a CPU profile of each server');
  await readCommandLine(program);
  return program.opts();
}

function readRows(text) {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number below 10^9.');
  return Number(text);
}

function withDatabase(row) {
  return row.cpu_ms_per_request + row.database_cpu_ms;
}

async function createDatabase(name) {
  await postgres.createDatabase(name);
  return postgres.url(name);
}

/** @returns the address of a new database of ours with the client of every case: the schema is made once, and copied */
async function createOurs(name) {
  template ??= createDatabase('template_ours').then((url) =>
    createOurDatabase({ url, client, jwksUri: `${keyHost.url}/software.jwks`, query }),
  );
  await template;
  await postgres.createDatabase(name, { template: 'template_ours' });
  return postgres.url(name);
}

/**
 * @returns address and rows of one database of ours for all cases, with many rows in each table; undefined with --empty
 * or --quick
 */
function filledDatabase() {
  if (options.empty || options.quick) return undefined;
  const { rows } = options;
  filled ??= (async () => {
    console.log('  filling a database ...');
    const start = performance.now();
    const url = await createOurs('filled');
    await fillDatabase({ url, owner: client.clientId, rows, query });
    console.log(`  ${Math.round((performance.now() - start) / 1_000)} s`);
    return { url, rows };
  })();
  return filled;
}

function query(url, sql, parameters = []) {
  return whileConnected(url, (ask) => ask(sql, parameters));
}

/** @param work gets a query function of one connection */
async function whileConnected(url, work) {
  const connection = new Client({ connectionString: url });
  await connection.connect();
  try {
    return await work((sql, parameters) => connection.query(sql, parameters));
  } finally {
    await connection.end();
  }
}

function printResults(rows) {
  const columns = [
    'rps',
    'p50_ms',
    'p95_ms',
    'p99_ms',
    'cpu_ms_per_request',
    'database_cpu_ms',
    'peak_rss_mb',
    'sql_round_trips',
    'signatures',
    'refused',
  ];
  const figures = (row) => columns.map((column) => String(row[column] ?? '-').padStart(column.length)).join('  ');
  const names = rows.flatMap((row) => [row.case, ...Object.keys(row.compared).map((other) => `  (${other})`)]);
  const width = 2 + Math.max(...names.map((name) => name.length));
  const compared = "ours/theirs: requests per second (per processor time, and with the database's)";
  console.log(`\n${'case'.padEnd(width)}${columns.join('  ')}  ${compared}`);
  for (const row of rows) {
    console.log(`${row.case.padEnd(width)}${figures(row)}`);
    for (const [other, theirs] of Object.entries(row.compared)) {
      const [requests, cpu, all] = [row.ratios, row.cpu_ratios, row.total_cpu_ratios].map((each) => each[other]);
      const ratios = requests && `${requests.toFixed(2)} (${cpu.toFixed(2)}, ${all.toFixed(2)})`;
      console.log(`${`  (${other})`.padEnd(width)}${figures(theirs)}  ${ratios ?? ''}`);
    }
  }
  for (const row of rows) {
    for (const [server, { refused, refused_busy: busy }] of [['ours', row], ...Object.entries(row.compared)]) {
      if (refused > 0) console.log(`\n${row.case}, ${server}: refused ${refused - busy} with 429, ${busy} with 503`);
    }
  }
  for (const row of rows.filter(({ worker_cpu_ms: worker }) => worker !== undefined)) {
    console.log(`\n${row.case}: processor milliseconds by process: ${journeyColumns.join(', ')}; all`);
    for (const [server, figuresOfServer] of [['ours', row], ...Object.entries(row.compared)]) {
      const values = journeyColumns.map((column) => figuresOfServer[`${column}_cpu_ms`]);
      const all = withDatabase(figuresOfServer).toFixed(1);
      console.log(`${`  ${server}`.padEnd(width)}${values.map((value) => value.toFixed(1)).join(', ')}; ${all}`);
    }
  }
  console.log('\nbench-results.json has the same figures.');
}
