import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import dns from 'node:dns';
import { announcedAddress, type Attacker, type Credential } from '../../support/apps/ingress-check.js';
import { sandboxEnvironment } from '../../support/apps/sandbox.js';
import { RevokedCertificates } from '../../support/apps/certificates.js';
import { ensureTrustFramework, type TrustFramework } from '../../support/apps/trust.js';
import { aCertificate, type TestCertificate } from '../../support/certificates.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { freePort } from '../../support/free-port.js';
import { AppProcess } from './app-process.js';
import {
  aClientCertificate,
  aHostCertificate,
  appNames,
  bankHosts,
  writeCredentials,
  type AppName,
} from './bank-host.js';
import { Proxy, renderConfiguration, type Form, type Ports } from './proxy.js';

/**
 * Makes this process resolve some host names to the loopback address, as /etc/hosts would.
 * @param suffix of the names
 * @returns a function that ends it
 */
function resolveToLoopback(suffix: string): () => void {
  const lookup = dns.lookup;
  const replaced = (hostname: string, ...rest: unknown[]): unknown =>
    Reflect.apply(lookup, dns, [hostname.endsWith(suffix) ? '127.0.0.1' : hostname, ...rest]);
  dns.lookup = replaced as typeof dns.lookup;
  return () => {
    dns.lookup = lookup;
  };
}

const fortyDays = 40 * 86_400_000;

/** A deployed bank: a database, instances of each application, and an ingress in front of them. */
export class IngressWorld {
  readonly sandbox: TestSandbox;
  /** as a TPP sees the bank: through the ingress */
  readonly description: TestSandbox['description'];
  readonly folder: string;
  readonly publicPorts: Readonly<Record<AppName, number>>;
  readonly clients: { valid: Credential; expired: Credential; revoked: Credential };
  readonly #trust: TrustFramework;
  readonly #hop: TestCertificate;
  readonly #hopAuthority: TestCertificate;
  readonly #isShared: boolean;
  readonly #endNames: () => void;
  instances: readonly AppProcess[] = [];
  #proxy: Proxy | undefined;

  private constructor(parts: {
    sandbox: TestSandbox;
    isShared: boolean;
    folder: string;
    trust: TrustFramework;
    publicPorts: Readonly<Record<AppName, number>>;
    clients: IngressWorld['clients'];
    hop: TestCertificate;
    hopAuthority: TestCertificate;
  }) {
    this.sandbox = parts.sandbox;
    this.folder = parts.folder;
    this.publicPorts = parts.publicPorts;
    this.clients = parts.clients;
    this.#trust = parts.trust;
    this.#isShared = parts.isShared;
    this.#hop = parts.hop;
    this.#hopAuthority = parts.hopAuthority;
    this.#endNames = resolveToLoopback('.bank.example');
    const issuer = `${this.url('api')}/open-banking/v3.0`;
    this.description = {
      ...parts.sandbox.description,
      issuer,
      discovery_uri: `${issuer}/.well-known/openid-configuration`,
      authorization_endpoint: `${this.url('authorize')}/oauth2/authorize`,
      token_endpoint: `${this.url('token')}/oauth2/token`,
      registration_endpoint: `${this.url('api')}/open-banking/v3.2/register`,
      base_url: this.url('api'),
      jwks_uri: `${this.url('authorize')}/oauth2/jwks`,
    };
  }

  static startSandbox = (): Promise<TestSandbox> => startTestSandbox({ only: ['worker'] });

  /**
   * Makes everything except the instances and the ingress.
   * @param shared a sandbox of several worlds, which ends after them
   */
  static async create(shared?: TestSandbox): Promise<IngressWorld> {
    const sandbox = shared ?? (await IngressWorld.startSandbox());
    const folder = await mkdtemp(join(tmpdir(), 'ingress-'));
    const trust = await ensureTrustFramework({ directory: sandbox.directory, now: new Date() });
    const hopAuthority = await aCertificate({ profile: 'authority', name: 'Authority of the ingress' });
    const hop = await aCertificate({ profile: 'bank-client', name: 'ingress', issuer: hopAuthority });
    const publicPorts = { authorize: await freePort(), token: await freePort(), api: await freePort() };
    const world = new IngressWorld({
      sandbox,
      isShared: shared !== undefined,
      folder,
      trust,
      publicPorts,
      hop,
      hopAuthority,
      clients: await makeClients(sandbox, trust),
    });
    await world.#writeTls();
    return world;
  }

  /** @returns public address of an application */
  url(app: AppName): string {
    return `https://${bankHosts[app]}:${this.publicPorts[app]}`;
  }

  /**
   * The configuration of every instance.
   * @param form of the ingress in front of it
   */
  environment(form: Form, overrides: Readonly<Record<string, string>> = {}): Record<string, string> {
    const { directory, ports, databaseUrl } = this.sandbox;
    const isTerminating = form === 'nginx-terminating';
    return {
      ...sandboxEnvironment({ directory, ports, databaseUrl, trust: this.#trust, overrides: {} }),
      BASE_URL: this.url('api'),
      AUTH_URL: this.url('authorize'),
      TOKEN_URL: this.url('token'),
      TLS_CERTIFICATE_FILE: join(this.folder, 'tls/application-certificate.pem'),
      TLS_PRIVATE_KEY_FILE: join(this.folder, 'tls/application-key.pem'),
      ADDITIONAL_HOSTS: '',
      DATABASE_POOL_SIZE: '4',
      LOG_FILE: '',
      LOG_LEVEL: 'error',
      INGRESS_ADDRESSES: '127.0.0.1',
      ...(!isTerminating && { PROXY_PROTOCOL: 'true', SIGN_INS_PER_ADDRESS: '30' }),
      ...(isTerminating && {
        CLIENT_CERTIFICATE_SOURCE: 'nginx',
        INGRESS_TRUST_ANCHORS: this.#hopAuthority.certificate,
      }),
      ...overrides,
    };
  }

  /** Three instances of each application, in place of those before. */
  async startInstances(form: Form, overrides: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.stopInstances();
    const { folder } = this;
    const environment = this.environment(form, overrides);
    const starts = appNames.flatMap((app) => [1, 2, 3].map(() => app));
    // A few at a time: nine simultaneous starts would only delay each other.
    while (starts.length > 0) {
      const group = await Promise.all(
        starts.splice(0, 3).map((app) => AppProcess.create(app, { folder, environment })),
      );
      // Recorded before they have started, so that they are always ended.
      this.instances = [...this.instances, ...group];
      await Promise.all(group.map((instance) => instance.start()));
    }
  }

  async stopInstances(): Promise<void> {
    await Promise.all(this.instances.map((instance) => instance.kill()));
    this.instances = [];
  }

  /** @returns ports of the ingress and, unless said otherwise, of the running instances */
  ports(behind?: Readonly<Record<AppName, number>>): Ports {
    const portsOf = (app: AppName): number[] =>
      behind
        ? [behind[app], behind[app], behind[app]]
        : this.instances.filter((one) => one.app === app).map((one) => one.port);
    return {
      public: this.publicPorts,
      instances: { authorize: portsOf('authorize'), token: portsOf('token'), api: portsOf('api') },
    };
  }

  /**
   * Starts the ingress, in place of the one before.
   * @param options.behind ports of other instances than the running ones
   * @param options.change changes the shipped configuration
   */
  async startIngress(
    form: Form,
    options: { behind?: Readonly<Record<AppName, number>>; change?: (configuration: string) => string } = {},
  ): Promise<void> {
    await this.#proxy?.stop();
    const ports = this.ports(options.behind);
    const configuration = await renderConfiguration(form, this.folder, ports, options.change);
    this.#proxy = new Proxy(form, this.folder, ports);
    await this.#proxy.start(configuration);
  }

  /**
   * Starts a second ingress before the same instances.
   * @returns the self-test of it
   */
  async startSecondIngress(form: Form): Promise<{ attacker: Attacker; stop: () => Promise<void> }> {
    const folder = join(this.folder, `second-${form}`);
    await mkdir(folder);
    await symlink(join(this.folder, 'tls'), join(folder, 'tls'));
    const publicPorts = { authorize: await freePort(), token: await freePort(), api: await freePort() };
    const ports = { ...this.ports(), public: publicPorts };
    const proxy = new Proxy(form, folder, ports);
    await proxy.start(await renderConfiguration(form, folder, ports));
    return { attacker: this.attacker(form, {}, publicPorts), stop: () => proxy.stop() };
  }

  /** @returns the self-test, ready to run */
  attacker(
    form: Form,
    instances: Readonly<Partial<Record<AppName, number>>> = {},
    publicPorts = this.publicPorts,
  ): Attacker {
    const target = (profile: AppName, connectPort = publicPorts[profile]) => ({
      profile,
      host: bankHosts[profile],
      port: this.publicPorts[profile],
      address: '127.0.0.1',
      connectPort,
    });
    return {
      targets: appNames.map((app) => target(app)),
      ca: this.sandbox.ca,
      instanceCa: this.sandbox.ca,
      ...this.clients,
      // The connections of a flood must not take ports from other tests.
      otherAddress: '127.0.0.2',
      ...(form === 'nginx-terminating'
        ? {
            isTerminating: true,
            hop: { certificate: this.#hop.certificate, privateKey: this.#hop.privateKeyPem },
          }
        : { isTerminating: false }),
      instances: Object.entries(instances).map(([app, port]) => ({
        ...target(app as AppName, port),
        ...(form === 'nginx-terminating' ? {} : { announced: announcedAddress }),
      })),
    };
  }

  async stop(): Promise<void> {
    this.#endNames();
    await this.#proxy?.stop();
    await this.stopInstances();
    if (!this.#isShared) await this.sandbox.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #writeTls(): Promise<void> {
    const folder = join(this.folder, 'tls');
    await mkdir(folder);
    const { authority } = this.#trust;
    const names = Object.values(bankHosts);
    await writeCredentials(folder, {
      auth: await aHostCertificate([bankHosts.authorize], authority),
      token: await aHostCertificate([bankHosts.token], authority),
      api: await aHostCertificate([bankHosts.api], authority),
      // A certificate for every profile, for the test that removes their separation.
      shared: await aHostCertificate(names, authority),
      application: await aHostCertificate(names, authority),
      hop: this.#hop,
    });
    await writeFile(join(folder, 'client-authorities.pem'), authority.certificate);
    await writeFile(join(folder, 'application-authorities.pem'), authority.certificate);
  }
}

async function makeClients(sandbox: TestSandbox, trust: TrustFramework): Promise<IngressWorld['clients']> {
  const [tpp] = sandbox.description.tpps;
  const valid = {
    certificate: await readFile(resolve(tpp?.transport_cert_file ?? ''), 'utf8'),
    privateKey: await readFile(resolve(tpp?.transport_key_file ?? ''), 'utf8'),
  };
  const issue = { issuer: trust.authority, directoryUrl: sandbox.description.directory.base_url };
  const now = new Date();
  const expired = await aClientCertificate(valid.certificate, { ...issue, now: new Date(now.getTime() - fortyDays) });
  const revoked = await aClientCertificate(valid.certificate, { ...issue, now });
  await new RevokedCertificates(sandbox.directory).revoke(revoked.certificate, now);
  return { valid, expired, revoked };
}
