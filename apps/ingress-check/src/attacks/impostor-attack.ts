import { createServer } from 'node:https';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { exchange } from '../exchange.js';
import { forgeServerCredential } from '../forge-credential.js';
import { finding, notRun } from '../judge.js';
import { credentialFor, anyProbe, type Attacker, type Target } from '../target.js';
import type { Finding } from '../verdict.js';

const attack = 'unknown instance';

/**
 * Nothing listened here until now, and an ingress avoids such an instance for a while: nginx for ten seconds by
 * default.
 */
const longestAvoidedMilliseconds = 12_000;
const pauseMilliseconds = 300;

/**
 * Listens where the ingress expects an instance, with a certificate from an unknown authority. A terminating ingress
 * must not send it requests or forward its answers.
 */
export async function attackByImpostor(attacker: Attacker, now: Date): Promise<Finding[]> {
  const { impostor, targets, ca, valid } = attacker;
  if (impostor === undefined) return targets.map(({ profile }) => notRun(profile, attack, 'needs --impostor'));
  const { certificate, privateKey } = await forgeServerCredential(
    targets.map(({ host }) => host),
    now,
  );
  let connections = 0;
  let requests = 0;
  const server = createServer({ cert: certificate, key: privateKey }, (_request, response) => {
    requests += 1;
    response.end();
  });
  server.on('connection', () => (connections += 1));
  server.listen(impostor.port, impostor.address);
  try {
    await once(server, 'listening');
    const rows: Finding[] = [];
    const deadline = performance.now() + longestAvoidedMilliseconds;
    for (const target of targets) {
      [connections, requests] = [0, 0];
      await askThrough(target, deadline);
      rows.push(judgeVisit(target, connections, requests));
    }
    const hasCome = rows.some(({ verdict }) => verdict !== 'not run');
    return hasCome ? rows : rows.map((row) => ({ ...row, verdict: 'failed' }));
  } finally {
    server.closeAllConnections();
    server.close();
  }

  async function askThrough(target: Target, deadline: number): Promise<void> {
    const credential = credentialFor(target, valid);
    for (;;) {
      // It may be one of several instances.
      for (let attempt = 0; attempt < 4; attempt += 1)
        await exchange(target, anyProbe(target.profile), { ca, credential });
      if (connections > 0 || performance.now() > deadline) return;
      await setTimeout(pauseMilliseconds);
    }
  }
}

function judgeVisit({ profile }: Target, connections: number, requests: number): Finding {
  if (requests > 0) return finding(profile, attack, 'hole', 'the ingress has sent a request to it');
  return connections > 0
    ? finding(profile, attack, 'held', 'the ingress connected and left')
    : notRun(profile, attack, 'the ingress did not connect');
}
