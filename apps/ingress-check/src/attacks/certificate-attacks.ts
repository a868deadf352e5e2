import { describeOutcome, exchange, type Differences, type Outcome } from '../exchange.js';
import { forwardedForms, forwardedHeader, forwardedHeaderNames, type ForwardedForm } from '../forwarded-header.js';
import { finding, hasGotThrough, isCounted, judge, notRun } from '../judge.js';
import { certificateProbes, type Attacker, type Credential, type Target } from '../target.js';
import type { Finding } from '../verdict.js';

/** A listener with client certificates. */
export type MutualTarget = Target & { profile: 'token' | 'api' };

/** Why a check is skipped. */
export const needsCertificate = 'needs --certificate and --key';

/** @returns whether the listener is one of those with client certificates */
export function isMutual(target: Target): target is MutualTarget {
  return target.profile !== 'authorize';
}

/**
 * Wrong certificates: none, from another authority, expired, revoked.
 * @param forged certificates from untrusted authorities
 */
export async function attackCertificates(
  attacker: Attacker,
  target: MutualTarget,
  forged: readonly Credential[],
): Promise<Finding[]> {
  const { profile } = target;
  const { ca, expired, revoked, isTerminating } = attacker;
  const send = (credential?: Credential): Promise<Outcome> =>
    exchange(target, certificateProbes[profile], { ca, credential });
  // Refused by an ingress that verifies, and by the token endpoint.
  const isHole = profile === 'token' || isTerminating ? hasGotThrough : isCounted;
  const ofOthers: Finding[] = [];
  for (const credential of forged) {
    ofOthers.push(judge(profile, 'certificate of another authority', await send(credential), isHole));
  }
  return [
    judge(profile, 'no certificate', await send(), withoutCertificate(profile)),
    ...ofOthers,
    expired
      ? judge(profile, 'expired certificate', await send(expired), isHole)
      : notRun(profile, 'expired certificate', 'needs --expired-certificate and --expired-key'),
    // The service checks revocation.
    revoked
      ? judge(profile, 'revoked certificate', await send(revoked), isCounted)
      : notRun(profile, 'revoked certificate', 'needs --revoked-certificate and --revoked-key'),
  ];
}

/** Without a certificate nothing reaches the token endpoint; discovery on the API host is public. */
function withoutCertificate(profile: MutualTarget['profile']): typeof isCounted {
  return profile === 'token' ? hasGotThrough : isCounted;
}

/**
 * The headers by which ingresses pass certificates on, sent by a client itself (CVE-2024-10039). Behind an ingress the
 * service accepts no certificate beside a header that the ingress should have removed, so the omission shows from
 * outside.
 */
export async function attackHeaders(attacker: Attacker, target: MutualTarget): Promise<Finding[]> {
  const { profile } = target;
  const { ca, valid } = attacker;
  const rows: Finding[] = [];
  for (const form of forwardedForms) rows.push(...(await attackHeader(attacker, target, form)));
  for (const name of forwardedHeaderNames) {
    const attack = `header beside a certificate (${name})`;
    if (!valid) {
      rows.push(notRun(profile, attack, needsCertificate));
      continue;
    }
    // The ingress must remove a client's header of this name, so it must make no difference.
    const differences = { ca, credential: valid, headers: [[name, 'garbage']] as const };
    const outcome = await exchange(target, certificateProbes[profile], differences);
    const isIgnored = outcome.kind === 'answered' && isCounted(outcome);
    rows.push(finding(profile, attack, isIgnored ? 'held' : 'hole', describeOutcome(outcome)));
  }
  return rows;
}

async function attackHeader(attacker: Attacker, target: MutualTarget, form: ForwardedForm): Promise<Finding[]> {
  const { profile } = target;
  const { ca, valid } = attacker;
  const [once, twice] = [`forged header (${form})`, `forged header twice (${form})`];
  if (!valid) return [once, twice].map((attack) => notRun(profile, attack, needsCertificate));
  const send = (differences: Differences): Promise<Outcome> =>
    exchange(target, certificateProbes[profile], { ca, ...differences });
  const header = forwardedHeader(form, valid.certificate);
  const garbage = [header[0], 'garbage'] as const;
  const isHole = withoutCertificate(profile);
  return [
    judge(profile, once, await send({ headers: [header] }), isHole),
    judge(profile, twice, await send({ headers: [header, header] }), isHole),
    judge(profile, twice, await send({ headers: [garbage, header] }), isHole),
  ];
}
