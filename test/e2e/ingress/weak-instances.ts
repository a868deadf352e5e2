import { randomBytes, X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { DEFAULT_CIPHERS, TLSSocket } from 'node:tls';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { certificateThumbprint, forwardedCertificateHeaders, parseForwardedCertificate } from '#libs/certificates';
import type { Config } from '#libs/config';
import { loadSandboxConfig } from '../../support/load-sandbox-config.js';
import { ClientCertificateReader } from '#libs/guards';
import { tlsOptions, type ClientCertificate } from '#libs/http-server';
import { createApiApp, createAuthorizeApp, createTokenApp } from '../../support/apps/service.js';
import { appNames, bankHosts, type AppName } from './bank-host.js';

const profiles = { authorize: 'one-way', token: 'mutual', api: 'asked-for' } as const;
const creators = { authorize: createAuthorizeApp, token: createTokenApp, api: createApiApp };

/** One instance: the application, and what it was made from. */
interface Instance {
  readonly name: AppName;
  readonly app: NestFastifyApplication;
  readonly server: Server;
  readonly config: Config;
}

/** Removes one protection. @returns a function that restores it */
type Removal = (instance: Instance) => () => void;

/** Protections of the application that no setting can remove. */
export const weaknesses = {
  'TLS 1.1 spoken': withTls({ minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' }),
  'every suite accepted': withTls({ ciphers: DEFAULT_CIPHERS }),
  'sessions resumed': withTls({ secureOptions: 0, ticketKeys: randomBytes(48) }),
  'handshakes waited for': withHandshakeTimeout(120_000),
  'heads of requests waited for': withHeadersTimeout(60_000),
  // Not weaknesses: short times, so that the test need not wait.
  'handshakes given little time': withHandshakeTimeout(300),
  'heads given little time': withHeadersTimeout(300),
  'chain not verified': ({ app, config, name }) => {
    if (name === 'authorize') return () => undefined; // reads none
    const reader: object = app.get(ClientCertificateReader, { strict: false });
    const read = (request: FastifyRequest): ClientCertificate | undefined => unverified(request, config);
    Object.assign(reader, { read, readUnrevoked: read });
    return () => ['read', 'readUnrevoked'].forEach((name) => Reflect.deleteProperty(reader, name));
  },
  'Host not looked at': withRequests((request, name) => {
    request.headers.host = bankHosts[name];
    request.rawHeaders = ['host', bankHosts[name]];
    pretendServerName(request.socket, bankHosts[name]);
  }),
  'two Hosts taken': withRequests((request) => {
    request.rawHeaders = ['host', request.headers.host ?? ''];
  }),
  'server name not looked at': withRequests((request) => {
    pretendServerName(request.socket, (request.headers.host ?? '').replace(/:\d+$/, ''));
  }),
  'a header twice taken': withRequests((request) => {
    request.rawHeaders = Object.entries(request.headers).flatMap(([name, value]) => [name, String(value)]);
  }),
  'headers of other forms passed over': withRequests((request, _name, { tls }) => {
    for (const [form, names] of Object.entries(forwardedCertificateHeaders)) {
      if (form !== tls.clientCertificateSource) for (const name of names) delete request.headers[name];
    }
  }),
} satisfies Record<string, Removal>;
export type Weakness = keyof typeof weaknesses;

/** Instances in this process, so that protections can be removed that no setting removes. */
export class WeakInstances {
  private constructor(private readonly instances: readonly Instance[]) {}

  /** @param names of the applications */
  static async start(
    environment: Readonly<Record<string, string>>,
    names: readonly AppName[] = appNames,
  ): Promise<WeakInstances> {
    const config = await loadSandboxConfig(environment);
    const instances: Instance[] = [];
    for (const name of names) {
      const app = await creators[name](config);
      await app.listen(0, '127.0.0.1');
      instances.push({ name, app, server: app.getHttpServer() as Server, config });
    }
    return new WeakInstances(instances);
  }

  /** Where they listen. */
  get ports(): Readonly<Record<AppName, number>> {
    const ports = this.instances.map(({ name, server }) => [name, (server.address() as AddressInfo).port] as const);
    return Object.fromEntries(ports) as Record<AppName, number>;
  }

  /** Does something while all of them lack one protection. */
  async without<Result>(weakness: Weakness, work: () => Promise<Result>): Promise<Result> {
    const putBack = this.instances.map((instance) => weaknesses[weakness](instance));
    try {
      return await work();
    } finally {
      for (const undo of putBack) undo();
    }
  }

  async stop(): Promise<void> {
    for (const { app } of this.instances) await app.close();
  }
}

function withTls(weak: ReturnType<typeof tlsOptions>): Removal {
  return ({ server, config, name }) => {
    const strong = tlsOptions(config, profiles[name]);
    server.setSecureContext({ ...strong, ...weak });
    return () => server.setSecureContext(strong);
  };
}

/** Changes every request before the application sees it. */
function withRequests(change: (request: IncomingMessage, name: AppName, config: Config) => void): Removal {
  return ({ server, name, config }) => {
    const listener = (request: IncomingMessage): void => change(request, name, config);
    server.prependListener('request', listener);
    return () => server.off('request', listener);
  };
}

function withHandshakeTimeout(milliseconds: number): Removal {
  return ({ server }) => {
    const symbol = Object.getOwnPropertySymbols(server).find(({ description }) => description === 'handshake-timeout');
    if (!symbol) throw new Error('Node keeps the time limit of handshakes elsewhere now.');
    const before: unknown = Reflect.get(server, symbol);
    Reflect.set(server, symbol, milliseconds);
    return () => Reflect.set(server, symbol, before);
  };
}

function withHeadersTimeout(milliseconds: number): Removal {
  return ({ server }) => {
    const { headersTimeout } = server;
    server.headersTimeout = milliseconds;
    return () => {
      server.headersTimeout = headersTimeout;
    };
  };
}

function pretendServerName(socket: Socket, name: string): void {
  if (socket instanceof TLSSocket) Reflect.set(socket, 'servername', name);
}

/** As if every certificate were valid. */
function unverified({ raw, headers }: FastifyRequest, { tls }: Config): ClientCertificate | undefined {
  const { socket } = raw;
  const certificate =
    tls.clientCertificateSource === 'tls'
      ? socket instanceof TLSSocket && socket.getPeerX509Certificate()
      : parseForwardedCertificate(tls.clientCertificateSource, headers)?.certificate;
  if (!(certificate instanceof X509Certificate)) return undefined;
  return { certificate, thumbprint: certificateThumbprint(certificate), path: [certificate] };
}
