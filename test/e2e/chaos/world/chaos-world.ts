import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Pool } from 'pg';
import { enrolTpp } from '../../../support/apps/sandbox.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../support/apps/postgres.js';
import { startSandbox, type RunningSandbox } from '../../../support/apps/start-sandbox.js';
import { ensureTrustFramework, type TrustFramework } from '../../../support/apps/trust.js';
import { createTokenApp } from '../../../support/apps/service.js';
import type { SandboxAccess } from '../../../support/a-client.js';
import { EventReceiver } from '../../../support/event-receiver.js';
import { until } from '../../../support/expectations.js';
import { freePort, freePorts } from '../../../support/free-port.js';
import { httpsAgent, httpsRequest } from '../../../support/https-request.js';
import { Balancer } from './balancer.js';
import { BankGate } from './bank-gate.js';
import { History } from './history.js';
import { Operator } from './operator.js';
import { ServiceProcess, type ServiceName } from './service-process.js';
import { SmallDisk } from './small-disk.js';
import { openTestPool } from '../../../support/open-test-pool.js';
import { copyCredentials } from '../../../support/started-before.js';
import { buildProgram, findOlderVersions } from '../../upgrade/older-program.js';

/** The folder of the program of the version before the newest migration; or why there is none. */
type OlderProgram = { readonly root: string } | { readonly reason: string };

/** Builds it, unless it is already built. */
async function ensureOlderProgram(): Promise<OlderProgram> {
  const versions = await findOlderVersions();
  if (typeof versions === 'string') return { reason: versions };
  const [before] = versions;
  return before === undefined ? { reason: 'there is no older version' } : { root: await buildProgram(before.commit) };
}

/** How long a worker waits for the bank, in milliseconds. */
export const workersPatience = 1_500;

/** Short, so that a worker recovers within the time of a test. */
const shortened = {
  PAYMENT_LEASE_SECONDS: '3',
  PAYMENT_FAULT_LIMIT: '2',
  HOUSEKEEPING_SECONDS: '2',
  RECONCILIATION_SECONDS: '2',
  RECONCILIATION_DELAY_SECONDS: '1',
};

/** The parts, in the order of their start. */
interface Parts {
  readonly sandbox: RunningSandbox;
  readonly trust: TrustFramework;
  readonly receiver: EventReceiver;
  readonly gate: BankGate;
  readonly balancer: Balancer;
  readonly disk: SmallDisk | undefined;
  readonly older: OlderProgram;
  readonly environment: Readonly<Record<string, string>>;
  readonly apiPorts: readonly [number, number];
  readonly bankUrl: string;
}

/**
 * The sandbox with the service in separate processes, each of which can be killed, frozen, replaced and have its clock
 * changed: two api behind a balancer, two workers, one authorize; and a gate in front of the bank.
 */
export class ChaosWorld {
  readonly #agent: Agent;
  #postgres: EmbeddedPostgres;
  #queue: Promise<unknown> = Promise.resolve();
  /** pools of the service's database and of the bank's book, for checks */
  readonly database: Pool;
  readonly bank: Pool;
  readonly apis: [ServiceProcess, ServiceProcess];
  readonly workers: [ServiceProcess, ServiceProcess];
  readonly authorize: ServiceProcess;
  readonly operator: Operator;
  readonly history = new History();

  private constructor(
    private readonly parts: Parts,
    readonly access: SandboxAccess,
  ) {
    const { sandbox } = parts;
    this.#agent = access.agent;
    this.#postgres = sandbox.postgres;
    this.database = openPool(sandbox.databaseUrl);
    this.bank = openPool(this.#postgres.url('sandbox_bank'));
    const [first, second] = parts.apiPorts;
    this.apis = [
      this.#start('api', 'api-1', { PORT: String(first) }),
      this.#start('api', 'api-2', { PORT: String(second) }),
    ];
    // The api knows the bank by its own name, which its reports bear; it asks it nothing.
    const ofBank = { BANK_URL: parts.bankUrl };
    const impatient = { ...ofBank, BANK_TIMEOUT_MILLISECONDS: String(workersPatience) };
    this.workers = [this.#start('worker', 'worker-1', impatient), this.#start('worker', 'worker-2', impatient)];
    this.authorize = this.#start('authorize', 'authorize', { ...ofBank, PORT: String(sandbox.ports.authorize) });
    this.operator = new Operator({ ...parts.environment, ...ofBank });
  }

  /**
   * @param needs.disk whether the database is to have a disk that can be full
   * @param needs.older whether the program of an older version is to be there
   */
  static async start(needs: { disk: boolean; older: boolean }): Promise<ChaosWorld> {
    const older = needs.older ? await ensureOlderProgram() : { reason: 'nobody asked for it' };
    const directory = await mkdtemp(join(tmpdir(), 'chaos-'));
    await copyCredentials(directory);
    // The account of PostgreSQL must be able to enter it.
    await chmod(directory, 0o711);
    const disk = needs.disk ? await SmallDisk.mount(join(directory, 'postgres')) : undefined;
    const sandbox = await startSandbox({
      directory,
      ports: await freePorts(),
      environment: { ACCESS_TOKEN_SECONDS: '86400', LOG_LEVEL: 'error' },
      apps: { token: createTokenApp },
    });
    if (disk) await limitWriteAheadLog(sandbox.postgres);
    const { parts, access } = await startParts(sandbox, { disk, older });
    const world = new ChaosWorld(parts, access);
    await world.untilListening();
    return world;
  }

  get directory(): string {
    return this.parts.sandbox.directory;
  }
  get services(): ServiceProcess[] {
    return [...this.apis, ...this.workers, this.authorize];
  }
  get gate(): BankGate {
    return this.parts.gate;
  }
  get receiver(): EventReceiver {
    return this.parts.receiver;
  }
  get disk(): SmallDisk | undefined {
    return this.parts.disk;
  }
  get older(): OlderProgram {
    return this.parts.older;
  }
  get trust(): TrustFramework {
    return this.parts.trust;
  }
  get ports(): RunningSandbox['ports'] {
    return this.parts.sandbox.ports;
  }

  /** Whether an api's clock differs, or differed shortly before a request, from its callers' clock. */
  isTimeDoubtful(sentAt: number): boolean {
    return [...this.apis, this.authorize].some(
      ({ clockShift, clockShiftedAt }) => clockShift !== 0 || sentAt - clockShiftedAt < 5_000,
    );
  }

  /** Actions on the database server run one after the other. */
  async withPostgres(work: (pid: number) => Promise<void>): Promise<void> {
    const before = this.#queue;
    const next = (async () => {
      await before;
      const { pid } = this.#postgres;
      if (pid === undefined) throw new Error('PostgreSQL does not run.');
      await work(pid);
    })();
    this.#queue = next.catch(() => undefined);
    return next;
  }

  /** Starts it again, after stopping what is left of it. */
  async startPostgres(): Promise<void> {
    this.#postgres = await startEmbeddedPostgres({ directory: join(this.parts.sandbox.directory, 'postgres') });
  }

  async untilListening(): Promise<void> {
    const { discovery_uri: discovery, jwks_uri: keys } = this.access.description;
    const answers = (url: string): Promise<boolean> =>
      httpsRequest({ url, agent: this.#agent }).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(async () => (await answers(discovery)) && (await answers(keys)));
  }

  async stop(): Promise<void> {
    const { sandbox, receiver, gate, balancer, disk } = this.parts;
    await Promise.all(this.services.map((service) => service.stop()));
    await Promise.all([receiver.stop(), gate.stop(), balancer.stop()]);
    this.#agent.destroy();
    await Promise.all([this.database.end(), this.bank.end()]);
    await sandbox.stop();
    // The sandbox knows only the PostgreSQL it has started itself.
    await this.#postgres.stop();
    if (disk) await disk.unmount();
    else await this.#postgres.remove();
    await rm(sandbox.directory, { recursive: true, force: true });
  }

  #start(name: ServiceName, id: string, own: Readonly<Record<string, string>>): ServiceProcess {
    const { sandbox, environment } = this.parts;
    return new ServiceProcess(name, { directory: sandbox.directory, id, environment: { ...environment, ...own } });
  }
}

async function startParts(
  sandbox: RunningSandbox,
  optional: Pick<Parts, 'disk' | 'older'>,
): Promise<{ parts: Parts; access: SandboxAccess }> {
  const { directory, ports } = sandbox;
  const now = new Date();
  const trust = await ensureTrustFramework({ directory, now });
  const third = await enrolTpp(
    directory,
    { name: 'TPP Three', redirectUris: ['https://tpp-three.example.com/callback'], keyType: 'ec' },
    now,
  );
  const description = { ...sandbox.description, tpps: [...sandbox.description.tpps, third] };
  const ca = await readFile(resolve(description.ca_file), 'utf8');
  const receiver = await EventReceiver.start();
  const settings = await readSettings(join(directory, 'service.env'));
  const events = { EVENT_WEBHOOK_URL: receiver.url, EVENT_WEBHOOK_CA: receiver.ca };
  const apiPorts = [await freePort(), await freePort()] as const;
  const gatePort = await freePort();
  const gate = await BankGate.start(gatePort, settings['BANK_URL'] ?? '', {
    ca,
    certificate: trust.server.certificate,
    privateKey: trust.server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    clientCertificate: trust.bankClient.certificate,
    clientPrivateKey: trust.bankClient.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  });
  const balancer = await Balancer.start(ports.api, apiPorts);
  const environment = { ...settings, ...shortened, ...events };
  const bankUrl = `https://localhost:${gatePort}`;
  return {
    parts: { sandbox, trust, receiver, gate, balancer, ...optional, environment, apiPorts, bankUrl },
    access: { description, ca, agent: httpsAgent({ ca }) },
  };
}

async function readSettings(file: string): Promise<Record<string, string>> {
  const settings = await readFile(file, 'utf8');
  return Object.fromEntries(
    [...settings.matchAll(/^(\w+)="(.*)"$/gm)].map(([, variable, value]) => [variable, value]),
  ) as Record<string, string>;
}

/** On a small disk the write-ahead log must leave room for the tables. */
async function limitWriteAheadLog(postgres: EmbeddedPostgres): Promise<void> {
  const pool = openPool(postgres.url('postgres'));
  await pool.query("ALTER SYSTEM SET max_wal_size = '128MB'");
  await pool.query('SELECT pg_reload_conf()');
  await pool.end();
}

function openPool(url: string): Pool {
  // Its connections break when the database restarts; the next query opens another.
  return openTestPool({ connectionString: url, max: 3, application_name: 'chaos' });
}
