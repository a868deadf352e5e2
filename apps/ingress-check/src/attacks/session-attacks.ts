import { setTimeout as sleep } from 'node:timers/promises';
import { exchange, openTls } from '../exchange.js';
import { finding } from '../judge.js';
import { credentialFor, anyProbe, type Attacker, type Credential, type Target } from '../target.js';
import type { Finding } from '../verdict.js';
import type { Access } from './tls-attacks.js';

const versions = ['TLSv1.2', 'TLSv1.3'] as const;
type Version = (typeof versions)[number];

/** Each instance has its own session keys: this many connections reach the one that created the session. */
const attempts = 8;

/**
 * A session made without a client certificate on one listener, resumed on another (CVE-2025-23419, CVE-2025-23048): the
 * second would no longer ask for a certificate. And a session resumed where it was created.
 */
export async function attackSessions(attacker: Attacker, target: Target): Promise<Finding[]> {
  const { ca, valid } = attacker;
  const rows = await attackOwnSessions({ ca, credential: credentialFor(target, valid) }, target);
  if (target.profile === 'authorize') return rows;
  for (const source of attacker.targets) {
    if (source.profile === 'token' || source.profile === target.profile) continue;
    for (const version of versions) rows.push(await resume({ ca }, source, target, version));
  }
  return rows;
}

/**
 * Sessions resumed where they were made.
 * @param of the place that is attacked, in words; nothing for the listener itself
 */
export async function attackOwnSessions(access: Access, target: Target, of = ''): Promise<Finding[]> {
  if (target.profile === 'token' && access.credential === undefined) return [];
  const rows: Finding[] = [];
  for (const version of versions) rows.push(await resume(access, target, target, version, of));
  return rows;
}

async function resume(access: Access, source: Target, target: Target, version: Version, of = ''): Promise<Finding> {
  const attack = `${of}session of ${source === target ? 'its own' : source.profile} resumed (${version})`;
  const { profile } = target;
  const { ca, credential } = access;
  let session: Buffer | undefined;
  const made = await exchange(source, anyProbe(source.profile), {
    ca,
    credential,
    tls: { minVersion: version, maxVersion: version },
    onSession: (given) => {
      session = given;
    },
  });
  if (made.kind !== 'answered') return finding(profile, attack, 'failed', `${source.profile}: ${made.reason}`);
  if (session === undefined) return finding(profile, attack, 'held', 'no session is issued');
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await isResumed(target, { ca, credential, session, version })) {
      return finding(profile, attack, 'hole', 'the session was accepted');
    }
  }
  return finding(profile, attack, 'held', 'the session was not accepted');
}

/** The handshake alone shows the result. */
async function isResumed(
  target: Target,
  options: { ca: string | undefined; credential: Credential | undefined; session: Buffer; version: Version },
): Promise<boolean> {
  const { ca, credential, session, version } = options;
  const tls = { session, minVersion: version, maxVersion: version };
  const socket = openTls(target, { ca, credential, tls });
  const reused = new Promise<boolean>((resolve) => {
    socket.once('secureConnect', () => resolve(socket.isSessionReused()));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
  const isReused = await Promise.race([reused, sleep(10_000, false, { ref: false })]);
  socket.destroy();
  return isReused;
}
