import { connect as connectPlain, type Socket } from 'node:net';
import { checkServerIdentity, connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { Credential, Probe, Target } from './target.js';

const timeoutMilliseconds = 10_000;
const longestAnswer = 262_144;

/** An answer to the request. */
export interface Answer {
  readonly kind: 'answered';
  readonly status: number;
  /** whether the service itself has answered: everything it says carries an interaction id */
  readonly isFromService: boolean;
  readonly protocol: string;
  readonly suite: string;
}

/** What came of one connection. */
export type Outcome =
  /** the connection was refused or ended before any answer */
  | { readonly kind: 'refused'; readonly reason: string }
  /** nobody there, or not the server we look for: proves nothing */
  | { readonly kind: 'unreachable'; readonly reason: string }
  | Answer;

/** How a connection differs from a decent one. */
export interface Differences {
  readonly credential?: Credential | undefined;
  /** name in the ClientHello; that of the target by default */
  readonly serverName?: string;
  /** values of the Host header; that of the target by default */
  readonly hosts?: readonly string[];
  /** further header lines, sent as they stand */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly tls?: Pick<ConnectionOptions, 'minVersion' | 'maxVersion' | 'ciphers' | 'session'>;
  readonly ca?: string | undefined;
  /** is told of every session that the server gives out */
  readonly onSession?: (session: Buffer) => void;
}

/** Opens a TLS connection, sends one HTTP/1.1 request and reads the answer. Never rejects. */
export function exchange(target: Target, probe: Probe, differences: Differences = {}): Promise<Outcome> {
  const { credential, serverName = target.host, ca, tls, onSession } = differences;
  const socket = connect({
    host: target.address,
    port: target.connectPort,
    servername: serverName,
    // Whatever name we ask for, the server must be the one we mean to attack.
    checkServerIdentity: (_name, certificate) => checkServerIdentity(target.host, certificate),
    ALPNProtocols: ['http/1.1'],
    ...(ca === undefined ? {} : { ca }),
    ...(credential === undefined ? {} : { cert: credential.certificate, key: credential.privateKey }),
    ...tls,
  });
  if (onSession) socket.on('session', onSession);
  return converse(socket, () => requestText(target, probe, differences));
}

/** The same without TLS, to the same port. */
export function exchangeInPlainText(target: Target, probe: Probe): Promise<Outcome> {
  const socket = connectPlain({ host: target.address, port: target.connectPort });
  return converse(socket, () => requestText(target, probe, {}));
}

function converse(socket: Socket | TLSSocket, request: () => string): Promise<Outcome> {
  return new Promise((resolve) => {
    let text = '';
    let isConnected = false;
    const end = (outcome: Outcome): void => {
      clearTimeout(timer);
      resolve(outcome);
      socket.destroy();
    };
    const finish = (reason: string): void => end(readAnswer(text, socket) ?? { kind: 'refused', reason });
    const timer = setTimeout(() => finish(`no answer within ${timeoutMilliseconds / 1_000} s`), timeoutMilliseconds);
    socket.once('authorized' in socket ? 'secureConnect' : 'connect', () => {
      isConnected = true;
      socket.write(request());
    });
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (isWhole(text) || text.length > longestAnswer) finish('too long an answer');
    });
    socket.on('error', (error) => {
      const reason = describe(error);
      if (!isConnected && isUnreachable(error)) end({ kind: 'unreachable', reason });
      else finish(reason);
    });
    socket.on('close', () => finish('the connection was closed'));
  });
}

function requestText(target: Target, { method, path, headers, body }: Probe, differences: Differences): string {
  const { hosts = [target.port === 443 ? target.host : `${target.host}:${target.port}`] } = differences;
  const lines = [
    ...hosts.map((host) => ['host', host] as const),
    ...Object.entries(headers),
    ...(differences.headers ?? []),
    ...(body === undefined ? [] : [['content-length', String(Buffer.byteLength(body))] as const]),
    ['connection', 'close'] as const,
  ];
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n${body ?? ''}`;
}

/** Only the head matters; a body is read so far that it has certainly begun. */
function isWhole(text: string): boolean {
  return text.includes('\r\n\r\n');
}

function readAnswer(text: string, socket: Socket | TLSSocket): Answer | undefined {
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
  if (status === undefined) return undefined;
  const isTls = 'getProtocol' in socket;
  return {
    kind: 'answered',
    status: Number(status),
    isFromService: /^x-fapi-interaction-id:/im.test(text),
    protocol: (isTls && socket.getProtocol()) || 'plain text',
    suite: (isTls && socket.getCipher()?.standardName) || 'none',
  };
}

function describe(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined
    ? error.message
    : code
        .replace(/^ERR_SSL_/, '')
        .toLowerCase()
        .replaceAll('_', ' ');
}

/** Nobody listens, or a server that we cannot tell to be the right one. */
function isUnreachable(error: Error): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH)/.test(
    code,
  );
}

/** @returns one line about an outcome */
export function describeOutcome(outcome: Outcome): string {
  if (outcome.kind !== 'answered') return outcome.reason;
  return `${outcome.status} ${outcome.isFromService ? 'from the service' : 'from the ingress'}`;
}
