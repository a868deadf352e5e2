import { describeOutcome, exchange, type Answer, type Differences, type Outcome } from '../exchange.js';
import { forwardedForms, forwardedHeader, forwardedHeaderNames, type ForwardedForm } from '../forwarded-header.js';
import { finding, isCounted, judge, notRun } from '../judge.js';
import { credentialFor, anyProbe, certificateProbes, type Attacker, type Credential, type Target } from '../target.js';
import type { Finding } from '../verdict.js';
import { isMutual, needsCertificate, type MutualTarget } from './certificate-attacks.js';
import { nobody, otherHost } from './host-attacks.js';
import { attackOwnSessions } from './session-attacks.js';
import { attackTls, type Access } from './tls-attacks.js';

/**
 * Calls instances behind an ingress directly: they must refuse what the ingress refuses for them.
 * @param forged certificates from untrusted authorities
 */
export async function attackInstance(
  attacker: Attacker,
  instance: Target,
  forged: readonly Credential[],
): Promise<Finding[]> {
  const { profile } = instance;
  const { valid, hop, isTerminating, instanceCa: ca } = attacker;
  const at = `instance ${instance.address}:${instance.connectPort}: `;
  const own = isTerminating ? hop : valid;
  const access: Access = { ca, credential: credentialFor(instance, own) };
  const rows = [
    ...(await attackTls(access, instance, at)),
    ...(await attackOwnSessions(access, instance, at)),
    ...(await attackHostsOf(attacker, instance, access, at)),
    ...(instance.announced === undefined ? [] : await attackProxyHeaders(attacker, instance, access, at)),
  ];
  if (!isTerminating || !isMutual(instance)) return rows;
  if (!valid) return [...rows, notRun(profile, `${at}header`, needsCertificate)];
  rows.push(...(await attackAsStranger(attacker, instance, { ca, valid, forged, at })));
  if (hop) return [...rows, ...(await attackAsIngress(attacker, instance, { ca, valid, forged, hop, at }))];
  return [...rows, notRun(profile, `${at}as the ingress`, 'needs --hop-certificate and --hop-key')];
}

async function attackHostsOf(attacker: Attacker, instance: Target, access: Access, at: string): Promise<Finding[]> {
  const { profile, host } = instance;
  const other = otherHost(attacker, instance);
  if (profile === 'token' && access.credential === undefined) {
    return [notRun(profile, `${at}unknown Host`, `needs --${attacker.isTerminating ? 'hop-' : ''}certificate`)];
  }
  const send = (differences: Differences): Promise<Outcome> =>
    exchange(instance, anyProbe(profile), { ...access, ...differences });
  return [
    // Without a name in the ClientHello, which would be refused as well.
    judge(profile, `${at}unknown Host`, await send({ serverName: '', hosts: [nobody] }), isLookedAt),
    judge(profile, `${at}two Hosts`, await send({ hosts: [host, other] }), profile === 'token' ? isLookedAt : isServed),
    ...(attacker.isTerminating
      ? []
      : [judge(profile, `${at}different SNI and Host`, await send({ serverName: other }), isLookedAt)]),
  ];
}

/** Only the ingress may state a client's address, and it must. */
async function attackProxyHeaders(
  attacker: Attacker,
  instance: Target,
  access: Access,
  at: string,
): Promise<Finding[]> {
  const { profile } = instance;
  const { otherAddress: from } = attacker;
  const forged = `${at}PROXY header from another address`;
  const send = (differences: Differences): Promise<Outcome> =>
    exchange(instance, anyProbe(profile), { ...access, ...differences });
  return [
    judge(profile, `${at}no PROXY header`, await send({ announced: undefined }), () => true),
    from === undefined
      ? notRun(profile, forged, 'needs --other-address')
      : judge(profile, forged, await send({ from }), () => true),
  ];
}

function isLookedAt({ status }: Answer): boolean {
  return status !== 421;
}

/** Parsers answer 400 to a malformed head. */
function isServed({ status }: Answer): boolean {
  return status !== 421 && status !== 400;
}

type Means = { ca: string | undefined; valid: Credential; forged: readonly Credential[]; at: string };

/** Instances trust only the ingress. */
async function attackAsStranger(attacker: Attacker, instance: MutualTarget, means: Means): Promise<Finding[]> {
  const { profile } = instance;
  const { ca, valid, forged, at } = means;
  const { hop, otherAddress } = attacker;
  const callers: Record<string, Differences> = {
    nobody: {},
    'another authority': { credential: forged[0] },
    'a client': { credential: valid },
    ...(hop && otherAddress !== undefined && { 'another address': { credential: hop, from: otherAddress } }),
  };
  const rows: Finding[] = [];
  for (const [caller, differences] of Object.entries(callers)) {
    for (const form of forwardedForms) {
      const headers = [forwardedHeader(form, valid.certificate)];
      const outcome = await exchange(instance, certificateProbes[profile], { ca, headers, ...differences });
      rows.push(judge(profile, `${at}header from ${caller}`, outcome, isCounted));
    }
  }
  return rows;
}

/** Sends, as the ingress, what a faulty ingress would let through. */
async function attackAsIngress(
  { expired, revoked }: Attacker,
  instance: MutualTarget,
  means: Means & { hop: Credential },
): Promise<Finding[]> {
  const { profile } = instance;
  const { ca, valid, forged, hop, at } = means;
  const send = (...headers: (readonly [string, string])[]): Promise<Outcome> =>
    exchange(instance, certificateProbes[profile], { ca, credential: hop, headers });
  const control = `${at}control: a certificate from the ingress is accepted`;
  let form: ForwardedForm | undefined;
  let last: Outcome | undefined;
  for (const candidate of forwardedForms) {
    last = await send(forwardedHeader(candidate, valid.certificate));
    if (last.kind === 'answered' && isCounted(last)) form = candidate;
  }
  if (form === undefined)
    return [finding(profile, control, 'failed', last ? describeOutcome(last) : 'nothing was sent')];
  const rows = [finding(profile, control, 'held', form)];
  const refuse = async (attack: string, ...headers: (readonly [string, string])[]): Promise<void> => {
    rows.push(judge(profile, `${at}${attack}`, await send(...headers), isCounted));
  };
  const header = forwardedHeader(form, valid.certificate);
  await refuse('header twice from the ingress', header, header);
  await refuse('header twice from the ingress', [header[0], 'garbage'], header);
  for (const name of forwardedHeaderNames.filter((candidate) => !isOwn(candidate, header[0]))) {
    await refuse(`header of another form from the ingress (${name})`, header, [name, 'garbage']);
  }
  const wrong = {
    'of another authority': forged,
    expired: expired ? [expired] : [],
    revoked: revoked ? [revoked] : [],
  };
  for (const [kind, credentials] of Object.entries(wrong)) {
    for (const { certificate } of credentials) {
      await refuse(`certificate from the ingress, ${kind}`, forwardedHeader(form, certificate));
    }
  }
  return rows;
}

/** RFC 9440 has two headers. */
function isOwn(name: string, own: string): boolean {
  return name === own || (own === 'client-cert' && name === 'client-cert-chain');
}
