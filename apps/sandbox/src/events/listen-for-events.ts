import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { pino } from 'pino';
import { createHttpsServer } from '../create-https-server.js';
import { repositoryRoot } from '#libs/command-line';
import { readDescription, type SandboxDescription } from '../sandbox-description.js';
import { ensureTrustFramework } from '../trust/trust-framework.js';

/** Where to listen for events, and how to show them. */
export interface ListenerOptions {
  /** the sandbox's folder */
  readonly directory: string;
  /** port of this machine; 0: any that is free */
  readonly port: number;
  /** each event as its claims, one JSON document a line */
  readonly isJson: boolean;
  /** takes a line */
  readonly print: (line: string) => void;
  /** takes what is not an event */
  readonly warn: (line: string) => void;
}

/** A receiver that listens. */
export interface EventListener {
  /** value for EVENT_WEBHOOK_URL */
  readonly url: string;
  close(): Promise<void>;
}

const path = '/events';

/**
 * Replaces the bank's system to which the service posts its events (RFC 8935), and shows each event. A token that the
 * service has not signed is refused.
 * @throws SandboxError if the sandbox has never been started
 */
export async function listenForEvents(options: ListenerOptions): Promise<EventListener> {
  const { directory, port, isJson, print, warn } = options;
  const description = await readDescription(directory);
  const caFile = resolve(repositoryRoot(), description.ca_file);
  const ca = await readFile(caFile, 'utf8');
  const { server: credential } = await ensureTrustFramework({ directory, now: new Date() });
  const server = createHttpsServer({ name: 'events', credential, log: pino({ level: 'silent' }) });
  server.addContentTypeParser(
    'application/secevent+jwt',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => body,
  );
  server.post(path, async (request, reply) => {
    try {
      const claims = await verify(String(request.body), description, ca);
      print(isJson ? JSON.stringify(claims) : describe(claims));
      return await reply.code(202).send();
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      warn(`Refused: ${error.message}`);
      // RFC 8935 s2.3, s2.4
      return reply.code(400).send({ err: 'authentication_failed', description: error.message });
    }
  });
  const address = await server.listen({ host: '127.0.0.1', port });
  const url = `https://localhost:${new URL(address).port}${path}`;
  warn(`Listening. Start the sandbox with EVENT_WEBHOOK_URL=${url} EVENT_WEBHOOK_CA_FILE=${caFile}`);
  return { url, close: () => server.close() };
}

async function verify(token: string, { issuer, jwks_uri: url }: SandboxDescription, ca: string): Promise<JWTPayload> {
  // Fetched each time, because keys may rotate while somebody listens.
  const [answer] = (await once(get(url, { ca, rejectUnauthorized: true, agent: false }), 'response')) as [
    IncomingMessage,
  ];
  const keys = createLocalJWKSet((await json(answer)) as JSONWebKeySet);
  const { payload } = await jwtVerify(token, keys, { issuer, typ: 'secevent+jwt', algorithms: ['PS256', 'ES256'] });
  return payload;
}

/** @returns time, change, state and resource of an event */
function describe({ toe, sub = '', events }: JWTPayload): string {
  const [event = {}] = Object.values((events ?? {}) as Record<string, Record<string, unknown>>);
  const at = new Date(Number(toe) * 1_000).toISOString();
  return [at, String(event['change'] ?? ''), String(event['status'] ?? ''), sub].join('  ');
}
