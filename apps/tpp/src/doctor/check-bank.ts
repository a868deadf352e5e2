import { connect, type TLSSocket } from 'node:tls';
import { callOf } from '#libs/command-line';
import type { Session } from '../cli/session.js';
import { parseJsonObject } from '../json.js';
import { journeys, type PaymentKind } from '../purpose.js';
import { ok, problem, skipped, type CheckResult } from './check.js';
import { messageOf } from './check-software-statement.js';

/** What the service tolerates between two clocks, in seconds. */
const toleratedSeconds = 60;
const handshakeMilliseconds = 10_000;

/** Checks the bank: discovery, TLS of each address with our certificate, clocks, registration, payments. */
export async function checkBank(session: Session, now: () => Date): Promise<CheckResult[]> {
  const { discoveryUri } = session.profile;
  const title = 'The discovery document is readable and names its own issuer.';
  try {
    const provider = await session.provider();
    return [
      ok('discovery', title, provider.issuer),
      await checkClock(session, now),
      ...(await Promise.all([
        checkTls(session, 'authorization_endpoint', provider.authorization_endpoint, false),
        checkTls(session, 'token_endpoint', provider.token_endpoint, true),
        checkTls(session, 'registration_endpoint', provider.registration_endpoint, true),
      ])),
      await checkRegistration(session),
      await checkPayments(session, 'file-payment'),
      await checkPayments(session, 'domestic-payment'),
    ];
  } catch (error) {
    return [
      problem('discovery', title, {
        section: 'OpenID Connect Discovery 1.0 s4',
        expected: `a document at ${discoveryUri}`,
        got: messageOf(error),
        fix: 'Check discovery_uri and ca_file of the profile; in the sandbox, that it runs (npm start).',
      }),
    ];
  }
}

async function checkClock(session: Session, now: () => Date): Promise<CheckResult> {
  const title = 'Our clock and the bank’s agree.';
  const before = now();
  const response = await session.quietClient.send({ method: 'GET', url: session.profile.discoveryUri });
  const after = now();
  const bank = Date.parse(response.headers.date ?? '');
  if (Number.isNaN(bank)) return skipped('clock', title, 'the bank sends no Date');
  // Date has whole seconds, and the answer took a while.
  const ahead = Math.round(((before.getTime() + after.getTime()) / 2 - bank) / 1_000);
  const got = `ours is ${Math.abs(ahead)} s ${ahead < 0 ? 'behind' : 'ahead'}`;
  if (Math.abs(ahead) <= toleratedSeconds) return ok('clock', title, got);
  return problem('clock', title, {
    section: 'RFC 7523 s3 items 4 to 6; FAPI 1.0 Advanced s5.2.2',
    expected: `a difference of at most ${toleratedSeconds} s`,
    got,
    fix: 'Set the clock of this machine (NTP).',
  });
}

/**
 * TLS 1.3 reports a refused client certificate only after the handshake, so this sends a request and awaits the answer.
 */
async function checkTls(
  { profile, credentials, ca }: Session,
  name: string,
  address: string,
  isMutual: boolean,
): Promise<CheckResult> {
  const { hostname, port, host, pathname } = new URL(address);
  const title = `${name} (${host}) accepts our connection.`;
  const identity = isMutual ? { cert: credentials.transportCertificate, key: credentials.transportKey } : {};
  let socket: TLSSocket | undefined;
  try {
    const protocol = await new Promise<string>((resolve, reject) => {
      const servername = /^[\d.:[\]]+$/.test(hostname) ? {} : { servername: hostname };
      const server = { host: hostname, port: Number(port || 443), ...servername, ...(ca && { ca }) };
      const options = { ...server, ...identity, rejectUnauthorized: true };
      const connected = connect(options, () => {
        connected.write(`OPTIONS ${pathname} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
      });
      socket = connected;
      connected.setTimeout(handshakeMilliseconds, () => connected.destroy(new Error('no answer')));
      connected.once('data', () => resolve(`${connected.getProtocol()} ${connected.getCipher().name}`));
      connected.once('error', reject);
      connected.once('close', () => reject(new Error('the connection was closed without an answer')));
    });
    return ok(`tls.${name}`, title, protocol);
  } catch (error) {
    return explainTls(name, title, String(Reflect.get(Object(error), 'code') ?? ''), messageOf(error), profile.caFile);
  } finally {
    socket?.destroy();
  }
}

function explainTls(
  name: string,
  title: string,
  code: string,
  message: string,
  caFile: string | undefined,
): CheckResult {
  const text = `${code} ${message}`;
  const isOwn = /alert|ALERT/.test(text);
  const cause = isOwn
    ? /unknown ca|UNKNOWN_CA/i.test(text)
      ? 'the bank does not know the authority of our certificate'
      : /expired/i.test(text)
        ? 'our certificate has expired'
        : /required|handshake failure/i.test(text)
          ? 'the bank demands a client certificate'
          : 'the bank refused our certificate'
    : /CERT|SELF_SIGNED|ISSUER|certificate/.test(text)
      ? `we do not trust the certificate of the bank${caFile === undefined ? '' : ` by ${caFile}`}`
      : 'nothing answers as it should';
  return problem(`tls.${name}`, title, {
    section: 'RFC 8446 s6.2; FAPI 1.0 Advanced s8.5; RFC 8705 s2',
    expected: 'a TLS 1.2 or 1.3 connection with our transport certificate',
    got: `${cause} (${text.trim()})`,
    fix: isOwn
      ? 'Use the transport certificate that the directory of this environment issued, with its key.'
      : 'Name the authority of the bank’s servers in ca_file of the profile; never switch verification off.',
  });
}

const comparedMembers = ['software_id', 'redirect_uris', 'token_endpoint_auth_method'] as const;

/** Compares the registration with the profile. */
async function checkRegistration(session: Session): Promise<CheckResult> {
  const title = 'The registration matches the profile.';
  const { clientId, authMethod = 'private_key_jwt' } = await session.state();
  if (clientId === undefined) return skipped('registration', title, `not registered yet: ${callOf('tpp')} register`);
  try {
    const registered = parseJsonObject(await session.callRegistration('GET', session.quietClient));
    const { credentials } = session;
    const own = {
      software_id: credentials.softwareId,
      redirect_uris: [...credentials.redirectUris],
      token_endpoint_auth_method: authMethod,
    };
    const different = comparedMembers.filter(
      (member) => JSON.stringify(registered[member]) !== JSON.stringify(own[member]),
    );
    if (different.length === 0) return ok('registration', title, `client ${clientId}`);
    return problem('registration', title, {
      section: 'RFC 7591 s2; OBIE Dynamic Client Registration 3.2',
      expected: different.map((member) => `${member} ${JSON.stringify(own[member])}`).join('; '),
      got: different.map((member) => `${member} ${JSON.stringify(registered[member])}`).join('; '),
      fix: 'Register again, or update the registration (PUT).',
    });
  } catch (error) {
    return problem('registration', title, {
      section: 'RFC 7592 s2.1',
      expected: `the registration of client ${clientId}`,
      got: messageOf(error),
      fix: `See why the request was refused: ${callOf('tpp')} why`,
    });
  }
}

/** Reads the last consent of a kind, by its own version. */
async function checkPayments(session: Session, kind: PaymentKind): Promise<CheckResult> {
  const title = `The bank serves ${kind.replace('-', ' ')}s, and signs its answers.`;
  const kept = (await session.state())[kind];
  if (kept === undefined) return skipped(kind, title, `no consent yet: ${callOf('tpp')} ${journeys[kind].staging}`);
  const { consentId, version } = kept;
  try {
    const payments = await session.payments(kind, version);
    const { Data } = await session.withAccessToken((accessToken) => payments.readConsent(accessToken, consentId));
    return ok(kind, title, `v${version}, consent ${consentId}: ${Data.Status}`);
  } catch (error) {
    return problem(kind, title, {
      section: `Read/Write API, GET /${kind}-consents/{ConsentId}`,
      expected: `the consent ${consentId}`,
      got: messageOf(error),
      fix: `See why the request was refused: ${callOf('tpp')} why`,
    });
  }
}
