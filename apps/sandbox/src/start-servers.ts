import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '#libs/config';
import { startAdminServer, Telemetry } from '#libs/telemetry';
import { startTracing, stopTracing } from '#libs/tracing';
import { createResourceServer, routeToResourceServer } from './bank/accounts/create-resource-server.js';
import { Introspection } from './bank/accounts/introspection.js';
import { createBankApp } from './bank/create-bank-app.js';
import { createBankServer } from './bank/create-bank-server.js';
import { PaymentReporter } from './bank/payment-reporter.js';
import { disturbDirectory, loseAnswers, rejectPayments } from './control/apply-faults.js';
import type { World } from './control/create-world.js';
import { serveControl } from './control/serve-control.js';
import { createDirectoryServer } from './directory/create-directory-server.js';
import type { HttpsServer } from './create-https-server.js';
import { errorCode } from './sandbox-error.js';
import { defaultPorts, portalAddress, portsInUse, sandboxAddress, type SandboxPorts } from './sandbox-ports.js';
import { serveRefusals } from './refusals/refusal-journal.js';
import { settleAll, type Shutdown } from './shutdown.js';
import { RevokedCertificates } from './trust/revoked-certificates.js';
import { SoftwareRegistry } from './trust/software-registry.js';
import type { TrustFramework } from './trust/trust-framework.js';

/** What the sandbox needs of a Nest application. */
export interface RunnableApp {
  close(): Promise<unknown>;
}

/** What it needs of one that serves HTTPS. */
export interface ListeningApp extends RunnableApp {
  listen(port: number, host: string): Promise<unknown>;
  getHttpAdapter(): { getInstance(): unknown };
}

/** The functions that create the service's processes. */
export interface SandboxApps {
  authorize: (config: Config, clock: undefined, telemetry: Telemetry) => Promise<ListeningApp>;
  token: (config: Config, clock: undefined, telemetry: Telemetry) => Promise<ListeningApp>;
  api: (config: Config, clock: undefined, telemetry: Telemetry) => Promise<ListeningApp>;
  worker: (config: Config, clock: undefined, telemetry: Telemetry) => Promise<RunnableApp>;
}

/** The sandbox that is starting. */
export interface Parts {
  directory: string;
  /** the address on which all servers listen */
  host: string;
  ports: SandboxPorts;
  trust: TrustFramework;
  config: Config;
  world: World;
  log: Logger;
  shutdown: Shutdown;
}

/**
 * Serves directory, refusals and control.
 * @throws SandboxError if the port is taken
 */
export async function startDirectory(parts: Parts): Promise<void> {
  const { directory, host, ports, trust, world, log, shutdown } = parts;
  const server = createDirectoryServer({
    registry: new SoftwareRegistry(directory),
    signingKey: trust.directorySigningKey,
    directoryUrl: sandboxAddress(ports.directory),
    credential: trust.server,
    authority: trust.authority,
    revokedCertificates: new RevokedCertificates(directory),
    log,
  });
  const { journal, faults, controlToken: token, service, bank } = world;
  serveRefusals(server, journal);
  serveControl(server, { token, faults, service, bank });
  disturbDirectory(server, faults);
  shutdown.add('the directory', () => server.close());
  await listen('directory', ports.directory, (port) => server.listen({ port, host }));
}

/**
 * Serves the bank, and has it report on its payments.
 * @throws SandboxError if the port is taken
 */
export async function startBank({ host, ports, trust, world, log, shutdown }: Parts): Promise<void> {
  const { bank, service, faults } = world;
  const clientCertificate = trust.bankClient.certificate;
  const server = createBankServer({
    pool: bank,
    credential: trust.server,
    clientCertificate,
    log,
    isRefused: rejectPayments(service, faults),
  });
  shutdown.add('the bank', () => server.close());
  await listen('bank', ports.bank, (port) => server.listen({ port, host }));
  const app = createBankApp({ pool: bank, log });
  shutdown.add("the bank's app", () => app.close());
  await listen('bankApp', ports.bankApp, (port) => app.listen({ port, host }));
  const reporter = new PaymentReporter({
    pool: bank,
    key: trust.bankHubKey,
    ca: trust.authority.certificate,
    apiUrl: sandboxAddress(ports.api),
    bankUrl: sandboxAddress(ports.bank),
    log,
  });
  shutdown.add("the bank's reports", () => reporter.stop());
  reporter.start();
}

/** @returns the bank's own server for accounts, to which the API's listener forwards requests */
function createAccountsServer({ directory, ports, trust, world, log, shutdown }: Parts): HttpsServer {
  const { certificate: authority } = trust.authority;
  const url = `${sandboxAddress(ports.token)}/oauth2/introspect`;
  const introspection = new Introspection({ url, ca: authority, credential: trust.resourceServer });
  const revoked = new RevokedCertificates(directory);
  const baseUrl = sandboxAddress(ports.api);
  const server = createResourceServer({ pool: world.bank, introspection, authority, revoked, baseUrl, log });
  shutdown.add("the bank's server for accounts", async () => {
    await server.close();
    introspection.stop();
  });
  return server;
}

/**
 * One listener for operators, and all applications of this process behind it.
 * @throws SandboxError if the port is taken
 */
export async function startAdministration({ ports, config, shutdown }: Parts): Promise<Telemetry> {
  const telemetry = new Telemetry(config);
  telemetry.watchProcess();
  await startTracing(config, 'sandbox');
  shutdown.add('tracing', stopTracing);
  await listen('admin', ports.admin, async (port) => {
    const server = await startAdminServer(config, port, telemetry);
    shutdown.add('administration', () => server.close());
  });
  return telemetry;
}

/**
 * Serves the sandbox portal.
 * @param start serves it on a port, and returns what stops it
 * @throws SandboxError if the port is taken
 */
export async function startPortalServer(
  { ports, shutdown }: Parts,
  start: (port: number) => Promise<() => Promise<void>>,
): Promise<void> {
  await listen('portal', ports.portal, async (port) => shutdown.add('the portal', await start(port)));
}

/**
 * Starts the given applications of the service.
 * @throws SandboxError if a port is taken
 */
export async function startApps(parts: Parts, apps: Partial<SandboxApps>, telemetry: Telemetry): Promise<void> {
  const { config, ports, world, shutdown } = parts;
  const resourceServer = createAccountsServer(parts);
  const work = async (): Promise<void> => {
    const app = await apps.worker?.(config, undefined, telemetry);
    if (app) shutdown.add('worker', () => app.close());
  };
  const serve = async (name: 'authorize' | 'token' | 'api'): Promise<void> => {
    const app = await apps[name]?.(config, undefined, telemetry);
    if (!app) return;
    shutdown.add(name, () => app.close());
    const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
    if (name === 'api') {
      loseAnswers(fastify, world.faults);
      await routeToResourceServer(fastify, resourceServer, config.readWrite.versions);
    } else leadToPortal(fastify, ports.portal);
    world.requests.watch(name, fastify);
    await listen(name, ports[name], (port) => app.listen(port, config.listen.host));
  };
  await settleAll([work(), serve('authorize'), serve('token'), serve('api')]);
}

/** Whoever opens the bare address in a browser is sent to the portal. */
function leadToPortal(fastify: FastifyInstance, port: number): void {
  fastify.addHook('onRequest', async ({ method, url }, reply) => {
    if (method === 'GET' && url === '/') return reply.redirect(portalAddress(port));
    return undefined;
  });
}

async function listen(
  server: keyof SandboxPorts,
  port: number,
  start: (port: number) => Promise<unknown>,
): Promise<void> {
  try {
    await start(port);
  } catch (error) {
    // Taken since the check at the beginning.
    throw errorCode(error) === 'EADDRINUSE' ? portsInUse([server], { ...defaultPorts, [server]: port }) : error;
  }
}
