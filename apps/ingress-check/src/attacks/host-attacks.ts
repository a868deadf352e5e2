import { exchange, shakeHands, type Answer, type Differences, type Outcome } from '../exchange.js';
import { finding, judge, notRun } from '../judge.js';
import { credentialFor, announcedAddress, anyProbe, type Attacker, type Target } from '../target.js';
import type { Finding } from '../verdict.js';

const otherName = 'handshake for another host';

/** A name that cannot exist (RFC 6761 s6.4). */
export const nobody = 'nobody.invalid';

/** Requests for a host other than the listener's: no handshake, or 421 from ingress or service (RFC 9110 s15.5.20). */
export async function attackHosts(attacker: Attacker, target: Target): Promise<Finding[]> {
  const { profile, host } = target;
  const { ca, isTerminating } = attacker;
  const credential = credentialFor(target, attacker.valid);
  const other = otherHost(attacker, target);
  const send = (differences: Differences): Promise<Outcome> =>
    exchange(target, anyProbe(profile), { ca, credential, ...differences });
  // Parsers answer 400 to a malformed head; from the token app, 400 means that the request was processed.
  const isHole = (answer: Answer): boolean =>
    (isTerminating && answer.isFromService) ||
    !(answer.status === 421 || (answer.status === 400 && !answer.isFromService));
  const rows = [
    judge(profile, 'Host of another profile', await send({ hosts: [other] }), isHole),
    judge(profile, 'unknown Host', await send({ hosts: [nobody] }), isHole),
    judge(profile, 'two Hosts', await send({ hosts: [host, other] }), isHole),
    judge(profile, 'different SNI and Host', asRefused(await send({ serverName: other })), isHole),
    judge(profile, 'PROXY header of its own', await send({ announced: announcedAddress }), () => true),
  ];
  rows.push(...(await attackNames(attacker, target, other)));
  return isTerminating ? [...rows, await lookAtNames(attacker, target)] : rows;
}

/** The service would answer 421 too, so only the handshake shows that the ingress refuses. */
async function attackNames(attacker: Attacker, target: Target, other: string): Promise<Finding[]> {
  const { profile } = target;
  const pieces = await greetInPieces(attacker, target);
  if (attacker.isBlindToNames) return [pieces, notRun(profile, otherName, 'nothing in front checks names')];
  const greetings = [other, nobody, ''].map((serverName) => greet(attacker, target, serverName));
  return [pieces, ...(await Promise.all([...greetings, greet(attacker, target, other, true)]))];
}

/** A certificate for two profiles lets clients use one connection for both (RFC 9113 s9.1.1). */
async function lookAtNames({ ca, valid, targets }: Attacker, target: Target): Promise<Finding> {
  const attack = 'certificate of another profile, too';
  const { profile, host } = target;
  const others = targets.map((candidate) => candidate.host).filter((candidate) => candidate !== host);
  const outcome = await shakeHands(target, { ca, credential: credentialFor(target, valid) });
  if (outcome.kind !== 'shown') return finding(profile, attack, 'failed', outcome.reason);
  const shared = others.filter((name) => outcome.certificate?.checkHost(name) !== undefined);
  return finding(profile, attack, shared.length > 0 ? 'hole' : 'held', shared.join(', ') || `good for ${host}`);
}

/** @returns the host of another listener */
export function otherHost({ targets }: Attacker, { host }: Target): string {
  return targets.find((candidate) => candidate.host !== host)?.host ?? nobody;
}

/** A ClientHello for another host, or for none, is not for this listener: it sends no certificate. */
async function greet({ ca, valid }: Attacker, target: Target, serverName: string, isSplit = false): Promise<Finding> {
  const attack = otherName;
  const { profile } = target;
  const name = serverName === '' ? 'no name' : serverName;
  const credential = credentialFor(target, valid);
  const outcome = await shakeHands(target, { ca, serverName, credential, isSplit });
  switch (outcome.kind) {
    case 'shown':
      return finding(
        profile,
        attack,
        'hole',
        `a certificate was shown for ${name}; if no ingress stands in front: --blind-to-names`,
      );
    case 'unreachable':
      return finding(profile, attack, 'failed', outcome.reason);
    case 'refused':
      return finding(profile, attack, 'held', outcome.reason);
  }
}

/**
 * A long ClientHello arrives in two pieces, and a program that reads the host must wait for the second (CVE-2026-32305
 * and others).
 */
async function greetInPieces({ ca, valid }: Attacker, target: Target): Promise<Finding> {
  const { profile } = target;
  const credential = credentialFor(target, valid);
  const outcome = await shakeHands(target, { ca, credential, isSplit: true });
  const isUnderstood = outcome.kind === 'shown';
  const detail = isUnderstood ? 'understood' : outcome.reason;
  return finding(profile, 'control: a ClientHello in two pieces', isUnderstood ? 'held' : 'failed', detail);
}

/** The listener sends another certificate for another name, which clients refuse, so this attack is not possible. */
function asRefused(outcome: Outcome): Outcome {
  const isOtherServer = outcome.kind === 'unreachable' && /altname/.test(outcome.reason);
  return isOtherServer ? { kind: 'refused', reason: outcome.reason } : outcome;
}
