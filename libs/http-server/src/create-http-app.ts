import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { ExceptionFilter, Type } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stringify } from 'lossless-json';
import type { Config } from '#libs/config';
import type { Telemetry } from '#libs/telemetry';
import { traceRequests } from '#libs/tracing';
import { addAccessLog } from './access-log.js';
import { AddressList } from './address-list.js';
import { BytesUnderWay } from './bytes-under-way.js';
import { createCallerNetwork } from './caller-network.js';
import { Connections } from './connections.js';
import { addInteractionId, interactionIdHeader, interactionIdOf } from './interaction-id.js';
import { createLogger, NestLogger } from './logger.js';
import { watchRoutes } from './method-not-allowed.js';
import { readProxyHeaders } from './proxied-connections.js';
import { refuseOtherHosts, toHostName } from './request-hosts.js';
import { readBody } from './read-body.js';
import { registerConnections } from './stop-on-signal.js';
import { tlsOptions, type TlsProfile } from './tls-options.js';
import { UnavailableDatabaseFilter } from './unavailable-database.js';
import { UnreadableRequests } from './unreadable-requests.js';

/** The three listeners, each with its own public address. */
export type ListenerName = 'authorize' | 'token' | 'api';

export interface HttpAppOptions {
  readonly config: Config;
  /** distinct name of the listener */
  readonly name: ListenerName;
  readonly tlsProfile: TlsProfile;
  /** turns every error into this app's form of answer */
  readonly errorFilter: ExceptionFilter;
  /** largest request body in bytes */
  readonly bodyLimitBytes: number;
  /** largest request line and headers together in bytes; default: 16384 */
  readonly headerLimitBytes?: number;
  /** counts its requests */
  readonly telemetry: Telemetry;
  /** @returns the regulator's view of a route; default: the name of the application */
  readonly areaOf?: (route: string) => string;
  /** @returns what identifies the caller's certificate, if it has shown one; default: nobody shows one */
  readonly clientOf?: (app: NestFastifyApplication) => (request: FastifyRequest) => string | undefined;
  /** @returns whether a request seems to belong to a session */
  readonly hasSession?: (request: FastifyRequest) => boolean;
  /** hooks that must run on every answer, errors included; called before the routes are made */
  readonly prepare?: (fastify: FastifyInstance, app: NestFastifyApplication) => void;
}

/**
 * Creates one of the three HTTPS applications, ready to listen. Bodies of every content type arrive as a Buffer in
 * `request.body`: the guards decide in the standard's order, and signatures are checked over the received bytes.
 */
export async function createHttpApp(
  module: Type | DynamicModule,
  options: HttpAppOptions,
): Promise<NestFastifyApplication> {
  const { config } = options;
  const logger = createLogger(config.log, options.telemetry);
  const unreadable = new UnreadableRequests();
  const adapter = createAdapter(options, unreadable);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    // The caller reports a failed start.
    abortOnError: false,
    logger: new NestLogger(logger),
  });
  const fastify: FastifyInstance = adapter.getInstance();
  addInteractionId(fastify);
  fastify.server.on('checkExpectation', refuseExpectation);
  // As many as fit into the limit of headers: Node would silently drop those beyond the 2,000th, and so miss repeated
  // ones.
  fastify.server.maxHeadersCount = 0;
  unreadable.watch(fastify.server);
  if (config.tls.isProxyProtocolSpoken) {
    readProxyHeaders(fastify.server as unknown as Server, {
      proxies: new AddressList(config.tls.ingressAddresses),
      most: config.maxConnections,
      onRefused: (refusal) => logger.warn({ message: 'Connections were refused before TLS.', ...refusal }),
    });
  }
  options.telemetry.requests.watch(fastify, options);
  traceRequests(fastify);
  addAccessLog(fastify, logger);
  const networkOfCaller = createCallerNetwork(config);
  const networkOf = (address: string): string | undefined =>
    config.rateLimit.perAddress === 0 ? undefined : networkOfCaller({ ip: address });
  const clientOf = options.clientOf?.(app);
  const connections = new Connections(fastify.server, {
    requests: config.maxConcurrentRequests,
    connections: config.maxConnections,
    // No caller needs more connections than concurrent requests.
    arrivals: { most: config.rateLimit.perAddress, windowSeconds: config.rateLimit.windowSeconds },
    networkOf,
    isKnown: (request) => clientOf?.(request) !== undefined || options.hasSession?.(request) === true,
  });
  connections.watch(fastify);
  new BytesUnderWay({ clientOf, networkOf }).watch(fastify);
  registerConnections(app, connections);
  refuseOtherHosts(fastify, {
    hosts: hostsOf(config, options.name),
    isServerNameOurs: config.tls.clientCertificateSource === 'tls',
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    void reply.headers(securityHeaders);
    done(null, payload);
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', readBody);
  fastify.setReplySerializer((payload) => stringify(payload) ?? '');
  options.prepare?.(fastify, app);
  const routes = watchRoutes(fastify);
  app.useGlobalFilters(new UnavailableDatabaseFilter(options.errorFilter));
  await app.init();
  routes.addMethodNotAllowedRoutes();
  return app;
}

function createAdapter(options: HttpAppOptions, unreadable: UnreadableRequests): FastifyAdapter {
  const maxHeaderSize = options.headerLimitBytes ?? 16_384;
  return new FastifyAdapter({
    https: {
      ...tlsOptions(options.config, options.tlsProfile),
      maxHeaderSize,
      // Answered here to add an interaction id, which Node's own answer lacks.
      requireHostHeader: false,
      // Maximum time from the first byte to the end of a request's head.
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
    },
    skipMiddie: true,
    bodyLimit: options.bodyLimitBytes,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    // Maximum time without anything sent or read.
    connectionTimeout: 90_000,
    forceCloseConnections: 'idle',
    // Connections that were still accepted are answered: see Connections.
    return503OnClosing: false,
    // An overlong id is an unknown id; headers and address together are limited above.
    routerOptions: { maxParamLength: maxHeaderSize },
    rewriteUrl: toPath,
    frameworkErrors: answerUnreadableUrl,
    clientErrorHandler: (error, socket) => unreadable.answer(error, socket),
  });
}

function hostsOf(config: Config, name: ListenerName): ReadonlySet<string> {
  const address = { authorize: config.authUrl, token: config.tokenUrl, api: config.baseUrl }[name];
  return new Set([address, ...config.additionalHosts].map(toHostName));
}

const securityHeaders = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

/**
 * `*` names the whole server (RFC 9112 s3.2.4). Fastify would answer it without any hook: no interaction id, no limits.
 */
function toPath({ url = '' }: { readonly url?: string }): string {
  return url === '*' ? '/*' : url;
}

/** A path that cannot be decoded gets 404, like every unknown path. */
function answerUnreadableUrl(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  // No hooks run for it.
  const headers = {
    ...securityHeaders,
    'cache-control': 'no-store',
    [interactionIdHeader]: interactionIdOf(request.headers),
  };
  void reply.status(404).headers(headers).send();
}

/** Any `Expect` but 100-continue (RFC 9110 s10.1.1). Node asks before the request reaches any hook. */
function refuseExpectation({ headers }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(417, {
    [interactionIdHeader]: interactionIdOf(headers),
    'content-length': '0',
    connection: 'close',
  });
  response.end();
}
