import type { X509Certificate } from 'node:crypto';
import { connect as connectPlain, type Socket } from 'node:net';
import { checkServerIdentity, connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { Duplex } from 'node:stream';
import type { Credential, Probe, Target } from './target.js';

const timeoutMilliseconds = 10_000;
const longestAnswer = 262_144;
const wasClosed = 'the connection was closed';

/** An answer to the request. */
export interface Answer {
  readonly kind: 'answered';
  readonly status: number;
  /** whether it carries an interaction id: the service has answered, or its ingress for a service that is busy */
  readonly isFromService: boolean;
  readonly protocol: string;
  readonly suite: string;
  /** of the key exchange: X25519MLKEM768, prime256v1 */
  readonly group: string;
  /** the Server header; empty if there is none */
  readonly server: string;
}

/** The result of one connection. */
export type Outcome =
  /** the connection was refused or ended before any answer */
  | { readonly kind: 'refused'; readonly reason: string }
  /** no server, or not the expected one: proves nothing */
  | { readonly kind: 'unreachable'; readonly reason: string }
  | Answer;

/** The result of a handshake alone. */
export type Handshake =
  { readonly kind: 'shown'; readonly certificate: X509Certificate | undefined } | Exclude<Outcome, Answer>;

/** How a connection differs from a valid one. */
export interface Differences {
  readonly credential?: Credential | undefined;
  /** name in the ClientHello; that of the target by default, empty for none */
  readonly serverName?: string;
  /** values of the Host header; that of the target by default */
  readonly hosts?: readonly string[];
  /** further header lines, sent as they stand */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** length of the body that is announced, where that is not the one that is sent */
  readonly announcedBytes?: number;
  readonly tls?: Pick<ConnectionOptions, 'minVersion' | 'maxVersion' | 'ciphers' | 'session'>;
  readonly ca?: string | undefined;
  /** whether the ClientHello comes in two pieces */
  readonly isSplit?: boolean;
  /** address of this machine to connect from */
  readonly from?: string | undefined;
  /** what a PROXY header before the ClientHello says; that of the target by default, undefined for no header */
  readonly announced?: string | undefined;
  /** how long to wait for an answer; ten seconds by default */
  readonly waitMilliseconds?: number;
  /** is called with every session that the server gives out */
  readonly onSession?: (session: Buffer) => void;
}

/** Opens a TLS connection, sends one HTTP/1.1 request and reads the answer. Never rejects. */
export function exchange(target: Target, probe: Probe, differences: Differences = {}): Promise<Outcome> {
  const socket = openTls(target, differences);
  if (differences.onSession) socket.on('session', differences.onSession);
  return converse(socket, () => requestText(target, probe, differences), differences.waitMilliseconds);
}

/** @returns a TLS connection that is being opened */
export function openTls(target: Target, differences: Differences): TLSSocket {
  const { credential, serverName = target.host, ca, tls, isSplit = false } = differences;
  const socket = openPlain(target, differences);
  return connect({
    socket: isSplit ? splitGreeting(socket) : socket,
    servername: serverName,
    // Whatever the requested name, the server must be the target of the attack.
    checkServerIdentity: (_name, certificate) => checkServerIdentity(target.host, certificate),
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(ca === undefined ? {} : { ca }),
    ...(credential === undefined ? {} : { cert: credential.certificate, key: credential.privateKey }),
    ...tls,
  });
}

/** A connection without TLS yet, with the PROXY header that it may have to begin with. */
function openPlain(target: Target, differences: Pick<Differences, 'from' | 'announced'>): Socket {
  const { from } = differences;
  const announced = 'announced' in differences ? differences.announced : target.announced;
  const localAddress = from === undefined ? {} : { localAddress: from };
  const socket = connectPlain({ host: target.address, port: target.connectPort, ...localAddress });
  if (announced !== undefined) socket.write(proxyHeader(announced));
  return socket;
}

/** PROXY protocol 2.2: a TCP connection from this IPv4 address. */
function proxyHeader(address: string): Buffer {
  const fixed = Buffer.from('0d0a0d0a000d0a515549540a2111000c', 'hex');
  const source = Buffer.from(address.split('.').map(Number));
  return Buffer.concat([fixed, source, Buffer.from([198, 51, 100, 1, 0xd4, 0x31, 0x01, 0xbb])]);
}

/**
 * Opens a TLS connection and asks for nothing.
 * @returns `shown` if the other side has shown a certificate, even if the handshake then failed; otherwise why not
 */
export function shakeHands(target: Target, differences: Differences): Promise<Handshake> {
  const socket = openTls(target, differences);
  return new Promise((resolve) => {
    const end = (outcome: Handshake): void => {
      clearTimeout(timer);
      const certificate = socket.getPeerX509Certificate();
      resolve(certificate === undefined ? outcome : { kind: 'shown', certificate });
      socket.destroy();
    };
    const timer = setTimeout(() => end({ kind: 'refused', reason: 'no answer in time' }), timeoutMilliseconds);
    socket.once('secureConnect', () => end({ kind: 'shown', certificate: undefined }));
    socket.once('error', (error) => {
      if (isCertificateError(error)) end({ kind: 'shown', certificate: undefined });
      else end({ kind: isNobodyThere(error) ? 'unreachable' : 'refused', reason: describe(error) });
    });
    socket.once('close', () => end({ kind: 'refused', reason: wasClosed }));
  });
}

/** The same without TLS, to the same port. */
export function exchangeInPlainText(target: Target, probe: Probe): Promise<Outcome> {
  const socket = openPlain(target, {});
  return converse(socket, () => requestText(target, probe, {}));
}

function converse(
  socket: Socket | TLSSocket,
  request: () => string,
  waitMilliseconds = timeoutMilliseconds,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let text = '';
    let isConnected = false;
    const end = (outcome: Outcome): void => {
      clearTimeout(timer);
      resolve(outcome);
      socket.destroy();
    };
    const finish = (reason: string): void => end(readAnswer(text, socket) ?? { kind: 'refused', reason });
    const timer = setTimeout(() => finish('no answer in time'), waitMilliseconds);
    socket.once('authorized' in socket ? 'secureConnect' : 'connect', () => {
      isConnected = true;
      socket.write(request());
    });
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (isWhole(text) || text.length > longestAnswer) finish('the answer is too long');
    });
    socket.on('error', (error) => {
      const reason = describe(error);
      if (!isConnected && isUnreachable(error)) end({ kind: 'unreachable', reason });
      else finish(reason);
    });
    socket.on('close', () => finish(wasClosed));
  });
}

function requestText(target: Target, { method, path, headers, body }: Probe, differences: Differences): string {
  const { announcedBytes: announced } = differences;
  const { hosts = [target.port === 443 ? target.host : `${target.host}:${target.port}`] } = differences;
  const lines = [
    ...hosts.map((host) => ['host', host] as const),
    ...Object.entries(headers),
    ...(differences.headers ?? []),
    ...(body === undefined ? [] : [['content-length', String(announced ?? Buffer.byteLength(body))] as const]),
    ['connection', 'close'] as const,
  ];
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n${body ?? ''}`;
}

/** Only the head matters. */
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
    group: (isTls && keyExchange(socket)?.name) || 'an unknown group',
    server: /^server: *(.*?)\r?$/im.exec(text)?.[1] ?? '',
  };
}

/** Node has no type for the groups without a curve of their own: TLSGroup. */
function keyExchange(socket: TLSSocket): { name?: string } | null {
  return socket.getEphemeralKeyInfo();
}

function codeOf(error: Error): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

function describe(error: Error): string {
  const code = codeOf(error);
  return code === ''
    ? error.message
    : code
        .replace(/^ERR_SSL_/, '')
        .toLowerCase()
        .replaceAll('_', ' ');
}

/** Nothing listens, or a server that cannot be identified. */
function isUnreachable(error: Error): boolean {
  return isNobodyThere(error) || codeOf(error) === 'ETIMEDOUT' || isCertificateError(error);
}

function isNobodyThere(error: Error): boolean {
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)/.test(codeOf(error));
}

/** A server's certificate was shown, and is not the one we look for. */
function isCertificateError(error: Error): boolean {
  return /^(?:CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH)/.test(codeOf(error));
}

/** @returns one line about an outcome */
export function describeOutcome(outcome: Outcome): string {
  if (outcome.kind !== 'answered') return outcome.reason;
  return `${outcome.status} ${outcome.isFromService ? 'from the service' : 'from the ingress'}`;
}

/** Long enough that the pieces cannot arrive together. */
const pauseMilliseconds = 60;
/** In the middle of the record header, and of the host name. */
const firstBytes = 40;

/**
 * A connection to a server on which the ClientHello arrives in pieces, as a long one may.
 * @param socket a connection that is being opened; it ends with the returned one
 */
function splitGreeting(socket: Socket): Duplex {
  let isGreeting = true;
  const split = new Duplex({
    read: () => socket.resume(),
    write: (chunk: Buffer, _encoding, done) => {
      if (!isGreeting) {
        socket.write(chunk, done);
        return;
      }
      isGreeting = false;
      socket.write(chunk.subarray(0, firstBytes));
      setTimeout(() => socket.write(chunk.subarray(firstBytes), done), pauseMilliseconds);
    },
    final: (done) => socket.end(done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.setNoDelay(true);
  socket.on('data', (chunk) => split.push(chunk));
  socket.on('end', () => split.push(null));
  socket.on('error', (error) => split.destroy(error));
  socket.on('close', () => split.destroy());
  return split;
}
