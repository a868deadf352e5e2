// The process of one server: `serve.mjs <module of servers/>`. Everything it needs arrives in the first message.
import { counters } from './instrument.mjs';
import { readFileSync } from 'node:fs';
import { resourceUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const server = await import(`./servers/${process.argv[2]}.mjs`);
let atReset = process.cpuUsage();

process.on('message', async ({ type, settings, collectsGarbage }) => {
  if (type === 'start') {
    const { port } = await server.start(settings);
    process.send({ type: 'ready', port });
  } else if (type === 'reset') {
    if (collectsGarbage) collectGarbage();
    Object.assign(counters, { sqlRoundTrips: 0, signatures: 0 });
    atReset = process.cpuUsage();
    process.send({ type: 'reset' });
  } else if (type === 'report') {
    const { user, system } = process.cpuUsage(atReset);
    const cpuMilliseconds = (user + system) / 1000;
    process.send({ type: 'report', cpuMilliseconds, peakRssMegabytes: peakRss(), ...counters, ...server.report?.() });
  } else if (type === 'stop') {
    process.exit(0);
  }
});
process.on('disconnect', () => process.exit(0));
process.send({ type: 'loaded' });

function collectGarbage() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/** getrusage() would report the parent's size at the fork if that was larger. */
function peakRss() {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
  } catch {
    // Not Linux.
    return resourceUsage().maxRSS / 1024;
  }
}
