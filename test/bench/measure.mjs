import { setTimeout as pause } from 'node:timers/promises';
import { databaseMilliseconds, databaseTimes } from './database-cpu.mjs';
import { Worker } from './process.mjs';

/**
 * Lets the servers take turns for some rounds, and returns the figures of each of them.
 * @param options.servers `[{ name, module, nodeOptions, settings, createRequests(count, port), process, check, isClosed }]`,
 *   ours first; those of the same `process` share one; `check`, `pace` and `requests` other than the case's; `isClosed`
 *   if it closes the connection after each answer
 * @param options.postmaster process id of the PostgreSQL that all of them use
 * @param options.rounds rounds that count
 * @param options.requests requests of one server in one round
 * @param options.warmUp its requests before them, which do not count
 * @param options.group of the key exchange: each request has a connection of its own
 * @param options.pace milliseconds from one request to the next; as fast as the answers arrive without it
 * @param options.idleSeconds how long each server has nothing to do before a round
 * @param options.collectsGarbage before a round, so that no row pays for what another one of its process left
 * @returns `[{ name, results }]`: the figures of each round
 */
export async function measure(options) {
  const { servers, rounds, requests, warmUp, check, profile } = options;
  const load = await Worker.start('load.mjs');
  const processes = new Map();
  const running = [];
  try {
    const firsts = [...new Map(servers.toReversed().map((server) => [server.process ?? server.name, server]))];
    await Promise.all(
      firsts.map(async ([shared, { module, nodeOptions, settings }]) => {
        const worker = await Worker.start('serve.mjs', [module], {
          nodeOptions,
          ...(profile && { profile: `${shared}-${module}` }),
        });
        processes.set(shared, { worker });
        const { port } = await worker.ask({ type: 'start', settings }, 'ready');
        processes.set(shared, { worker, port });
      }),
    );
    for (const server of servers)
      running.push({ check, ...server, ...processes.get(server.process ?? server.name), results: [] });
    for (let round = 0; round <= rounds; round += 1) {
      for (const server of running) {
        const count = round === 0 ? warmUp : (server.requests ?? requests);
        const result = await runRound({ ...options, server, load, requests: count }).catch((error) => {
          throw new Error(`${server.name}, round ${round} of ${count} requests: ${error.message}`, { cause: error });
        });
        if (round > 0) server.results.push(result);
      }
    }
    return running.map(({ name, results }) => ({ name, results }));
  } finally {
    await Promise.all([load.stop(), ...[...processes.values()].map(({ worker }) => worker.stop())]);
  }
}

async function runRound({ server, load, requests, postmaster, connections, idleSeconds, collectsGarbage, ...further }) {
  const { tls, expected, group } = further;
  const { port, check, isClosed, createRequests, pace = further.pace } = server;
  const { requests: prepared, bodies = [] } = await createRequests(requests, port);
  const round = {
    port,
    tls,
    connections,
    isClosed,
    group,
    pace,
    requests: prepared,
    bodies,
    check,
    expected,
  };
  await load.ask({ type: 'prepare', round }, 'prepared');
  if (idleSeconds !== undefined) await pause(idleSeconds * 1_000);
  const databaseBefore = await databaseTimes(postmaster);
  await server.worker.ask({ type: 'reset', collectsGarbage }, 'reset');
  const { seconds, latencies, refused, busy } = await load.ask({ type: 'go' }, 'done');
  const report = await server.worker.ask({ type: 'report' }, 'report');
  const databaseAfter = await databaseTimes(postmaster);
  latencies.sort((a, b) => a - b);
  const percentile = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  return {
    rps: prepared.length / seconds,
    p50_ms: percentile(0.5),
    p95_ms: percentile(0.95),
    p99_ms: percentile(0.99),
    cpu_ms_per_request: report.cpuMilliseconds / prepared.length,
    database_cpu_ms: databaseMilliseconds(databaseBefore, databaseAfter) / prepared.length,
    peak_rss_mb: report.peakRssMegabytes,
    sql_round_trips: report.sqlRoundTrips / prepared.length,
    signatures: report.signatures / prepared.length,
    ...(pace !== undefined && { refused, refused_busy: busy, offered: 1_000 / pace }),
  };
}

/** The largest memory, which only grows, and of all else the medians. */
export function medians(results) {
  const entries = Object.keys(results[0]).map((name) => {
    const values = results.map((result) => result[name]);
    return [name, Number((name === 'peak_rss_mb' ? Math.max(...values) : median(values)).toFixed(3))];
  });
  return Object.fromEntries(entries);
}

/**
 * @param read takes a figure from a round
 * @returns the median of what it is, round by round, of theirs: the machine is as busy for both
 */
export function medianRatio(ours, theirs, read) {
  return median(ours.map((round, index) => read(round) / read(theirs[index])));
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}
