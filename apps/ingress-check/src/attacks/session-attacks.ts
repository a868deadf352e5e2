import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { exchange } from '../exchange.js';
import { finding } from '../judge.js';
import { anyProbe, type Attacker, type Target } from '../target.js';
import type { Finding } from '../verdict.js';

const versions = ['TLSv1.2', 'TLSv1.3'] as const;
type Version = (typeof versions)[number];

/**
 * A session made without a client certificate on one listener, resumed on another (CVE-2025-23419, CVE-2025-23048): the
 * second one would not ask for a certificate any more.
 */
export async function attackSessions(attacker: Attacker, target: Target): Promise<Finding[]> {
  if (target.profile === 'authorize') return [];
  const rows: Finding[] = [];
  for (const source of attacker.targets) {
    if (source.profile === 'token' || source.profile === target.profile) continue;
    for (const version of versions) rows.push(await resume(attacker, source, target, version));
  }
  return rows;
}

async function resume({ ca }: Attacker, source: Target, target: Target, version: Version): Promise<Finding> {
  const attack = `session of ${source.profile} resumed (${version})`;
  const { profile } = target;
  let session: Buffer | undefined;
  const made = await exchange(source, anyProbe(source.profile), {
    ca,
    tls: { minVersion: version, maxVersion: version },
    onSession: (given) => {
      session = given;
    },
  });
  if (made.kind !== 'answered') return finding(profile, attack, 'failed', `${source.profile}: ${made.reason}`);
  if (session === undefined) return finding(profile, attack, 'held', 'no session is given out');
  return (await isResumed(target, { ca, session, version }))
    ? finding(profile, attack, 'hole', 'the session was accepted')
    : finding(profile, attack, 'held', 'the session was not accepted');
}

/** The handshake alone tells. */
async function isResumed(
  target: Target,
  { ca, session, version }: { ca: string | undefined; session: Buffer; version: Version },
): Promise<boolean> {
  const socket = connect({
    host: target.address,
    port: target.connectPort,
    servername: target.host,
    session,
    minVersion: version,
    maxVersion: version,
    ...(ca === undefined ? {} : { ca }),
  });
  const reused = new Promise<boolean>((resolve) => {
    socket.once('secureConnect', () => resolve(socket.isSessionReused()));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
  const isReused = await Promise.race([reused, sleep(10_000, false, { ref: false })]);
  socket.destroy();
  return isReused;
}
