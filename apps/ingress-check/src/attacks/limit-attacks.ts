import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange, openTls } from '../exchange.js';
import { finding, notRun } from '../judge.js';
import { credentialFor, certificateProbes, openProbes, type Attacker, type Probe, type Target } from '../target.js';
import type { Finding } from '../verdict.js';

/** Long enough for a server that closes connections after ten seconds, even under load. */
const defaultPatienceSeconds = 15;
/** More than any route accepts. */
const hugeBytes = 100_000_000;
/** The first bytes of a TLS record that is never completed. */
const halfRecord = Buffer.from('16030102000100', 'hex');

/** An oversized body is refused as soon as it is announced. */
export async function attackSizes(attacker: Attacker, target: Target): Promise<Finding> {
  const { ca, valid, isTerminating, patienceSeconds = defaultPatienceSeconds } = attacker;
  const { profile } = target;
  const attack = 'body of 100 MB announced';
  const credential = credentialFor(target, valid);
  if (profile === 'token' && !credential) return notRun(profile, attack, 'needs --certificate and --key');
  // On a route that reads bodies, if the caller may send one.
  const probe =
    profile === 'authorize'
      ? ({ ...openProbes.authorize, method: 'POST', body: ' ' } as const)
      : certificateProbes[profile];
  const outcome = await exchange(target, probe, {
    ca,
    credential,
    announcedBytes: hugeBytes,
    waitMilliseconds: patienceSeconds * 1_000,
  });
  if (outcome.kind !== 'answered')
    return finding(profile, attack, 'hole', `the server waits for it: ${outcome.reason}`);
  const isHole = outcome.status < 400 || (isTerminating && outcome.isFromService);
  const by = outcome.isFromService ? 'the service' : 'the ingress';
  return finding(profile, attack, isHole ? 'hole' : 'held', `${outcome.status} from ${by}`);
}

/** Silent or incomplete connections are closed; otherwise a few thousand of them would block the service. */
export async function attackBySilence(attacker: Attacker, target: Target): Promise<Finding[]> {
  const { patienceSeconds = defaultPatienceSeconds } = attacker;
  const { profile } = target;
  const greeting = await clientHello(target);
  const credential = credentialFor(target, attacker.valid);
  const { address: host, connectPort: port } = target;
  const silences: [attack: string, socket: Socket, said: Buffer | string][] = [
    ['nothing said', connect({ host, port }), ''],
    ['nothing said', connect({ host, port }), halfRecord],
    ['silence after the ClientHello', connect({ host, port }), greeting],
  ];
  if (profile !== 'token' || credential) {
    const { ca } = attacker;
    silences.push(
      ['silence after the handshake', openTls(target, { ca, credential }), ''],
      ['silence after the handshake', openTls(target, { ca, credential }), `GET / HTTP/1.1\r\nhost: ${host}\r\n`],
    );
  }
  return Promise.all(
    silences.map(async ([attack, socket, said]) => {
      const { outcome, seconds } = await keepSilent(socket, said, patienceSeconds);
      const verdict = { ended: 'held', open: 'hole', unreachable: 'failed' } as const;
      return finding(profile, attack, verdict[outcome], `${outcome} after ${seconds.toFixed(1)} s`);
    }),
  );
}

function clientHello({ host: servername }: Target): Promise<Buffer> {
  return new Promise((resolve) => {
    const wire = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        resolve(chunk);
        done();
      },
    });
    connectTls({ socket: wire, servername, rejectUnauthorized: true }).on('error', () => undefined); // nobody answers
  });
}

async function keepSilent(
  socket: Socket,
  said: Buffer | string,
  patienceSeconds: number,
): Promise<{ outcome: 'ended' | 'open' | 'unreachable'; seconds: number }> {
  const startedAt = performance.now();
  let isConnected = false;
  const ended = new Promise<'ended' | 'unreachable'>((resolve) => {
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
      isConnected = true;
      if (said.length > 0) socket.write(said);
    });
    socket.on('error', () => resolve(isConnected ? 'ended' : 'unreachable'));
    socket.once('close', () => resolve(isConnected ? 'ended' : 'unreachable'));
    socket.resume();
  });
  const outcome = await Promise.race([ended, sleep(patienceSeconds * 1_000, 'open' as const, { ref: false })]);
  socket.destroy();
  return { outcome, seconds: (performance.now() - startedAt) / 1_000 };
}

/** More connections (requests, if TLS ends at the ingress) than one address may make: some must be refused. */
export async function attackByFlood(attacker: Attacker, target: Target): Promise<Finding> {
  const { profile } = target;
  const { floodCount, isTerminating } = attacker;
  const attack = isTerminating ? 'flood of requests' : 'flood of connections';
  if (floodCount === undefined) return notRun(profile, attack, 'needs --flood');
  if (isTerminating && profile === 'token' && !attacker.valid) {
    return notRun(profile, attack, 'needs --certificate and --key');
  }
  const flood = isTerminating ? floodWithRequests : floodWithConnections;
  const made = await flood(attacker, target, floodCount);
  return made.isTurnedAway
    ? finding(profile, attack, 'held', `refused within ${made.count}`)
    : finding(profile, attack, made.count === 0 ? 'failed' : 'hole', `${made.count} were accepted`);
}

/**
 * More than all instances of a usual deployment accept from one address together, and fewer than six addresses may
 * send.
 */
const mostPasswords = 150;
const passwordProbe: Probe = {
  method: 'POST',
  path: '/sign-in',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'username=nobody',
};

/**
 * More passwords than one address may send, one after the other: some must be refused. They name no customer and have
 * no session, so they lock nobody. The addresses of one network count as one: a customer line has 2^64 IPv6 addresses.
 * The ingress counts them if TLS ends there, otherwise the application.
 */
export async function attackByPasswords(attacker: Attacker, target: Target): Promise<Finding> {
  const { profile } = target;
  const { ca, floodCount, otherAddress, networkAddresses = [otherAddress] } = attacker;
  const attack = 'flood of passwords';
  if (floodCount === undefined) return notRun(profile, attack, 'needs --flood');
  const most = Math.min(floodCount, mostPasswords);
  let taken = 0;
  for (let count = 0; count < most; count += 1) {
    const from = networkAddresses[count % networkAddresses.length];
    const outcome = await exchange(target, passwordProbe, { ca, from });
    if (outcome.kind === 'answered' && outcome.status === 429) {
      return finding(profile, attack, 'held', `refused after ${taken}`);
    }
    if (outcome.kind === 'answered') taken += 1;
  }
  return finding(profile, attack, taken === 0 ? 'failed' : 'hole', `${taken} were accepted`);
}

type Flood = { isTurnedAway: boolean; count: number };
const batch = 50;
/**
 * Excess connections are refused by then; a connection that ends later was silent for too long, which does not limit
 * floods.
 */
const atOnceMilliseconds = 2_000;

async function floodWithConnections(attacker: Attacker, target: Target, most: number): Promise<Flood> {
  const { otherAddress, patienceSeconds = defaultPatienceSeconds } = attacker;
  const from = otherAddress === undefined ? {} : { localAddress: otherAddress };
  const sockets: Socket[] = [];
  const seen = { turnedAway: 0, taken: 0 };
  while (seen.turnedAway === 0 && sockets.length < most) {
    const opened = Array.from({ length: Math.min(batch, most - sockets.length) }, () => {
      const socket = connect({ host: target.address, port: target.connectPort, ...from });
      return new Promise<void>((resolve) => {
        let connectedAt: number | undefined;
        sockets.push(socket);
        socket.once('connect', () => {
          connectedAt = performance.now();
          seen.taken += 1;
          resolve();
        });
        socket.on('error', () => undefined); // followed by close
        socket.once('close', () => {
          if (connectedAt !== undefined && performance.now() - connectedAt < atOnceMilliseconds) seen.turnedAway += 1;
          resolve();
        });
        socket.resume();
      });
    });
    await Promise.all(opened);
  }
  // The last ones are closed a moment after they are accepted.
  const deadline = performance.now() + patienceSeconds * 1_000;
  while (performance.now() < deadline && seen.turnedAway === 0) await sleep(50);
  for (const socket of sockets) socket.removeAllListeners('close').destroy();
  return { isTurnedAway: seen.turnedAway > 0, count: seen.taken };
}

/** On several connections, without waiting for one answer before the next request. */
async function floodWithRequests(
  { ca, valid, otherAddress: from }: Attacker,
  target: Target,
  most: number,
): Promise<Flood> {
  const credential = credentialFor(target, valid);
  const host = target.port === 443 ? target.host : `${target.host}:${target.port}`;
  // A path for which nothing is looked up.
  const request = `GET /flood HTTP/1.1\r\nhost: ${host}\r\n\r\n`;
  const connections = Math.min(batch, Math.ceil(most / 20));
  const each = Math.ceil(most / connections);
  const results = await Promise.all(
    Array.from({ length: connections }, () => {
      const socket = openTls(target, { ca, credential, from });
      return new Promise<Flood>((resolve) => {
        let answers = '';
        const end = (): void => {
          const statuses = answers.match(/^HTTP\/1\.1 \d{3}/gm) ?? [];
          clearTimeout(timer);
          socket.destroy();
          resolve({ isTurnedAway: statuses.some((status) => status.endsWith('429')), count: statuses.length });
        };
        const timer = setTimeout(end, 10_000);
        socket.once('secureConnect', () => socket.write(request.repeat(each)));
        socket.on('data', (chunk: Buffer) => {
          answers += chunk.toString('latin1');
          if (/^HTTP\/1\.1 429/m.test(answers) || (answers.match(/^HTTP\/1\.1 /gm) ?? []).length >= each) end();
        });
        socket.on('error', end);
        socket.on('close', end);
      });
    }),
  );
  return {
    isTurnedAway: results.some(({ isTurnedAway }) => isTurnedAway),
    count: results.reduce((sum, { count }) => sum + count, 0),
  };
}
