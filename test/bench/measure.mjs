import { Worker } from './process.mjs';

/**
 * Lets the servers take turns for some rounds and returns what was measured of each.
 * @param options.servers `[{ name, module, nodeOptions, settings, createRequests(count) }]`, ours first
 * @param options.rounds rounds that count; one more warms up
 * @param options.requests requests of one server in one round
 * @returns per server: medians over the rounds
 */
export async function measure({ servers, rounds, requests, connections, tls, check, expected, profile }) {
  const load = await Worker.start('load.mjs');
  const running = [];
  try {
    for (const server of servers) {
      const { nodeOptions } = server;
      const options = { nodeOptions, ...(profile && { profile: `${server.name}-${server.module}` }) };
      const worker = await Worker.start('serve.mjs', [server.module], options);
      running.push({ ...server, worker, results: [] });
      Object.assign(running.at(-1), await worker.ask({ type: 'start', settings: server.settings }, 'ready'));
    }
    for (let round = 0; round <= rounds; round += 1) {
      for (const server of running) {
        const result = await runRound({ server, load, requests, connections, tls, check, expected });
        if (round > 0) server.results.push(result);
      }
    }
    return running.map(({ name, results }) => ({ name, ...medians(results) }));
  } finally {
    await Promise.all([load.stop(), ...running.map(({ worker }) => worker.stop())]);
  }
}

async function runRound({ server, load, requests, connections, tls, check, expected }) {
  const { requests: prepared, bodies = [] } = await server.createRequests(requests);
  const round = { port: server.port, tls, connections, requests: prepared, bodies, check, expected };
  await load.ask({ type: 'prepare', round }, 'prepared');
  await server.worker.ask({ type: 'reset' }, 'reset');
  const { seconds, latencies } = await load.ask({ type: 'go' }, 'done');
  const report = await server.worker.ask({ type: 'report' }, 'report');
  latencies.sort((a, b) => a - b);
  const percentile = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  return {
    rps: prepared.length / seconds,
    p50_ms: percentile(0.5),
    p95_ms: percentile(0.95),
    p99_ms: percentile(0.99),
    cpu_ms_per_request: report.cpuMilliseconds / prepared.length,
    peak_rss_mb: report.peakRssMegabytes,
    sql_round_trips: report.sqlRoundTrips / prepared.length,
    signatures: report.signatures / prepared.length,
  };
}

function medians(results) {
  return Object.fromEntries(
    Object.keys(results[0]).map((name) => [name, Number(median(results.map((result) => result[name])).toFixed(3))]),
  );
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}
