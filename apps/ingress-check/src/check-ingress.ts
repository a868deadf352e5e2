import { attackCertificates, attackHeaders, isMutual } from './attacks/certificate-attacks.js';
import { attackHosts } from './attacks/host-attacks.js';
import { attackByImpostor } from './attacks/impostor-attack.js';
import { attackInstance } from './attacks/instance-attacks.js';
import { attackByFlood, attackByPasswords, attackBySilence, attackSizes } from './attacks/limit-attacks.js';
import { attackSessions } from './attacks/session-attacks.js';
import { attackTls } from './attacks/tls-attacks.js';
import { describeOutcome, exchange } from './exchange.js';
import { forgeCredentials } from './forge-credential.js';
import { finding, isBusy, isCounted, notRun } from './judge.js';
import {
  credentialFor,
  attackGroups,
  certificateProbes,
  openProbes,
  type AttackGroup,
  type Attacker,
  type Target,
} from './target.js';
import type { Finding } from './verdict.js';

/**
 * Attacks a running deployment from outside. Sends a few dozen requests to each listener, one after the other, none of
 * which changes anything.
 * @param forge makes certificates of untrusted authorities
 * @returns one row for each attack
 */
export async function checkIngress(
  attacker: Attacker,
  now = new Date(),
  forge: typeof forgeCredentials = forgeCredentials,
): Promise<Finding[]> {
  const { targets, instances, only = attackGroups } = attacker;
  const isAsked = (group: AttackGroup): boolean => only.includes(group);
  // Takes a while; the others continue meanwhile.
  const silence = Promise.all(isAsked('silence') ? targets.map((target) => attackBySilence(attacker, target)) : []);
  const needsForged = isAsked('certificates') || (isAsked('instances') && instances.length > 0);
  const forged = needsForged ? await forge(attacker.valid?.certificate, now) : [];
  const findings: Finding[] = [];
  const run = async (group: AttackGroup, attack: () => Promise<Finding[]>): Promise<void> => {
    if (isAsked(group)) findings.push(...(await attack()));
  };
  for (const target of targets) {
    const credential = credentialFor(target, attacker.valid);
    findings.push(...(await controls(attacker, target)));
    await run('tls', () => attackTls({ ca: attacker.ca, credential }, target));
    await run('hosts', () => attackHosts(attacker, target));
    if (isMutual(target)) {
      await run('certificates', () => attackCertificates(attacker, target, forged));
      await run('headers', () => attackHeaders(attacker, target));
    }
    await run('sessions', () => attackSessions(attacker, target));
    await run('sizes', async () => [await attackSizes(attacker, target)]);
  }
  for (const instance of instances) await run('instances', () => attackInstance(attacker, instance, forged));
  if (attacker.isTerminating) await run('impostor', () => attackByImpostor(attacker, now));
  findings.push(...(await silence).flat());
  // Last, because the ingress may refuse us for a while afterwards.
  for (const target of targets.filter(({ profile }) => profile === 'authorize')) {
    await run('forms', async () => [await attackByPasswords(attacker, target)]);
  }
  for (const target of targets) await run('flood', async () => [await attackByFlood(attacker, target)]);
  return mergeRepeated(findings);
}

/** What must work; otherwise the other checks prove nothing. */
async function controls({ ca, valid }: Attacker, target: Target): Promise<Finding[]> {
  const { profile } = target;
  const rows: Finding[] = [];
  if (profile !== 'token') {
    const outcome = await exchange(target, openProbes[profile], { ca });
    const isServed = outcome.kind === 'answered' && outcome.status === 200 && outcome.isFromService;
    rows.push(
      finding(profile, 'control: what everybody may read', isServed ? 'held' : 'failed', describeOutcome(outcome)),
    );
  }
  if (profile === 'authorize') return rows;
  const attack = 'control: a valid certificate is accepted';
  if (!valid) return [...rows, notRun(profile, attack, 'needs --certificate and --key')];
  const outcome = await exchange(target, certificateProbes[profile], { ca, credential: valid });
  const isAccepted = outcome.kind === 'answered' && outcome.isFromService && isCounted(outcome) && !isBusy(outcome);
  return [...rows, finding(profile, attack, isAccepted ? 'held' : 'failed', describeOutcome(outcome))];
}

const severity = ['held', 'not run', 'failed', 'hole'] as const;

/** Variants of one attack are one row: the worst of them. */
function mergeRepeated(findings: readonly Finding[]): Finding[] {
  const merged = new Map<string, Finding>();
  for (const row of findings) {
    const key = `${row.profile} ${row.attack}`;
    const known = merged.get(key);
    if (!known || severity.indexOf(row.verdict) > severity.indexOf(known.verdict)) merged.set(key, row);
  }
  return [...merged.values()];
}
