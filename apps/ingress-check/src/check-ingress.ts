import { attackCertificates, attackHeaders, attackInstance, isMutual } from './attacks/certificate-attacks.js';
import { attackHosts } from './attacks/host-attacks.js';
import { attackSessions } from './attacks/session-attacks.js';
import { attackTls } from './attacks/tls-attacks.js';
import { describeOutcome, exchange } from './exchange.js';
import { forgeCredentials } from './forge-credential.js';
import { finding, isCounted, notRun } from './judge.js';
import { certificateProbes, openProbes, type Attacker, type Target } from './target.js';
import type { Finding } from './verdict.js';

/**
 * Attacks a running deployment from outside. Sends a few dozen requests to each listener, one after the other, none of which
 * changes anything.
 * @returns one row for each attack
 */
export async function checkIngress(attacker: Attacker, now = new Date()): Promise<Finding[]> {
  const forged = await forgeCredentials(attacker.valid?.certificate, now);
  const findings: Finding[] = [];
  for (const target of attacker.targets) {
    findings.push(...(await controls(attacker, target)));
    findings.push(...(await attackTls(attacker, target)), ...(await attackHosts(attacker, target)));
    if (isMutual(target)) {
      findings.push(
        ...(await attackCertificates(attacker, target, forged)),
        ...(await attackHeaders(attacker, target)),
      );
    }
    findings.push(...(await attackSessions(attacker, target)));
  }
  for (const instance of attacker.instances) {
    if (isMutual(instance)) findings.push(...(await attackInstance(attacker, instance, forged)));
  }
  return mergeRepeated(findings);
}

/** What must work: where it does not, everything else proves nothing. */
async function controls({ ca, valid }: Attacker, target: Target): Promise<Finding[]> {
  const { profile } = target;
  const rows: Finding[] = [];
  if (profile !== 'token') {
    const outcome = await exchange(target, openProbes[profile], { ca });
    const isServed = outcome.kind === 'answered' && outcome.status === 200 && outcome.isFromService;
    rows.push(
      finding(profile, 'control: what is for everybody', isServed ? 'held' : 'failed', describeOutcome(outcome)),
    );
  }
  if (profile === 'authorize') return rows;
  const attack = 'control: a valid certificate is accepted';
  if (!valid) return [...rows, notRun(profile, attack, 'needs --certificate and --key')];
  const outcome = await exchange(target, certificateProbes[profile], { ca, credential: valid });
  const isAccepted = outcome.kind === 'answered' && outcome.isFromService && isCounted(outcome);
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
