import type { Agent } from 'node:https';
import { flattenedVerify, type JWSHeaderParameters } from 'jose';
import { createOutgoingAgent, exchange } from '#libs/outgoing';
import { understoodCritical } from './detached-header.js';
import type { SignedParts, SigningKey } from './signing-key.js';

/** Longest wait for one answer, connection included. */
const patienceMilliseconds = 2_000;
const longestAnswer = 65_536;

/**
 * The signing service does not answer, or not with a signature of this key. Never contains the payload or the token.
 */
export class SigningUnavailableError extends Error {
  override readonly name = 'SigningUnavailableError';
}

/** A signing service that keeps the private keys: the API of the transit engine of Vault and OpenBao. */
export interface TransitService {
  /** of the engine: `https://vault.bank.example/v1/transit` */
  readonly url: string;
  /** PEM of its authority; default: the system's authorities */
  readonly ca?: string | undefined;
  readonly token: string;
}

/**
 * Lets keys whose private part is in a signing service sign.
 * @param keys those that have no `remote` name stay as they are
 */
export function bindTransitKeys(keys: readonly SigningKey[], service: TransitService): SigningKey[] {
  // @cryptography TLS 1.2 or 1.3 | SIGNING_SERVICE_TOKEN | connections to the signing service, trusting
  // SIGNING_SERVICE_CA or the system's CAs
  const agent = createOutgoingAgent({ maxSockets: 32, ca: service.ca });
  const call: Call = (path, body) => callTransit({ agent, service, path, body });
  return keys.map((key) => (key.remote === undefined ? key : bindKey(key, key.remote, call)));
}

type Call = (path: string, body: object) => Promise<Record<string, unknown>>;

function bindKey(key: SigningKey, remote: string, call: Call): SigningKey {
  const [name = '', version = ''] = remote.split(':');
  const sign = async (header: JWSHeaderParameters, payload: Uint8Array): Promise<SignedParts> => {
    const parts = toParts({ ...header, alg: key.algorithm, kid: key.kid }, payload);
    // RFC 7515 s5.1 signs `<header>.<payload>`, with b64=false the bytes as they are (RFC 7797 s3).
    const input = Buffer.concat([Buffer.from(`${parts.protected}.`), parts.signed]);
    const data = await call(`sign/${name}/sha2-256`, {
      input: input.toString('base64'),
      key_version: Number(version),
      marshaling_algorithm: 'jws',
      // RFC 7518 s3.5: the salt is as long as the hash.
      ...(key.algorithm === 'PS256' && { signature_algorithm: 'pss', salt_length: 'hash' }),
    });
    const signature = Buffer.from(String(data['signature']).split(':').at(-1) ?? '', 'base64').toString('base64url');
    const jws = { protected: parts.protected, payload: parts.payload, signature };
    await assertSigned(key, jws, parts.signed, header.b64 === false);
    return jws;
  };
  return {
    ...key,
    sign,
    check: async () => {
      await sign({}, Buffer.from('readiness'));
    },
  };
}

function toParts(header: JWSHeaderParameters, payload: Uint8Array) {
  const isRaw = header.b64 === false;
  const encoded = Buffer.from(payload).toString('base64url');
  return {
    protected: Buffer.from(JSON.stringify(header)).toString('base64url'),
    payload: isRaw ? '' : encoded,
    signed: isRaw ? payload : Buffer.from(encoded),
  };
}

/** Another key under that name, or another algorithm, must not reach a TPP: it would refuse what it cannot verify. */
async function assertSigned(key: SigningKey, jws: SignedParts, signed: Uint8Array, isRaw: boolean): Promise<void> {
  const options = { algorithms: [key.algorithm], crit: understoodCritical };
  await flattenedVerify({ ...jws, payload: isRaw ? signed : jws.payload }, key.publicKey, options).catch((cause) => {
    throw new SigningUnavailableError(`The signing service signed with a key other than ${key.kid}.`, { cause });
  });
}

async function callTransit(options: {
  agent: Agent;
  service: TransitService;
  path: string;
  body: object;
}): Promise<Record<string, unknown>> {
  const { agent, service, path, body } = options;
  const { status, text } = await exchange({
    url: new URL(`${service.url}/${path}`),
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vault-token': service.token },
    body: Buffer.from(JSON.stringify(body)),
    agent,
    patience: patienceMilliseconds,
    maxBytes: longestAnswer,
    isRepeatable: true,
  }).catch((cause: unknown) => {
    throw new SigningUnavailableError('The signing service does not answer.', { cause });
  });
  if (status !== 200) throw new SigningUnavailableError(`The signing service answers ${status}.`);
  return readData(text);
}

function readData(answer: string): Record<string, unknown> {
  try {
    const { data } = JSON.parse(answer) as { data?: unknown };
    if (typeof data === 'object' && data !== null) return data as Record<string, unknown>;
  } catch {
    // Said below, without what was received.
  }
  throw new SigningUnavailableError('The answer of the signing service cannot be read.');
}
