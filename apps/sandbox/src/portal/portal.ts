import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { ApiVersion } from '../../../tpp/src/read-write/api-version.js';
import type { World } from '../control/create-world.js';
import { readDescription, type SandboxDescription } from '../sandbox-description.js';
import { portalAddress } from '../sandbox-ports.js';
import { EventStreams } from './live/event-stream.js';
import { LedgerWatch } from './live/ledger-watch.js';
import type { Html } from '#libs/http-server';
import { createPage } from './pages/layout.js';
import { createFormToken } from './portal-guard.js';
import { PaymentRuns, type PaymentRun } from './tpp/payment-run.js';
import { PortalTpp } from './tpp/portal-tpp.js';
import { RunSteps } from './tpp/run-steps.js';

/** What the portal needs. */
export interface PortalParts {
  directory: string;
  port: number;
  /** PEM of the sandbox's authority */
  ca: string;
  /** absolute path of it */
  caFile: string;
  description: SandboxDescription;
  world: World;
  log: Logger;
}

/** The state that the portal's pages share. */
export class Portal {
  readonly token = createFormToken();
  readonly address: string;
  readonly bankOrigin: string;
  readonly approvalsUrl: string;
  /** versions of the Read/Write API that the bank serves; the first is the default */
  readonly versions: readonly ApiVersion[];
  readonly runs = new PaymentRuns();
  readonly streams = new EventStreams();
  readonly ledger: LedgerWatch;
  readonly steps: RunSteps;
  readonly #runListeners = new Map<(run: PaymentRun) => void, string>();
  #names = new Map<string, string>();

  constructor(
    readonly parts: PortalParts,
    tpp: PortalTpp,
  ) {
    const { description, world, log, port } = parts;
    this.address = portalAddress(port);
    this.bankOrigin = new URL(description.authorization_endpoint).origin;
    this.approvalsUrl = `${this.bankOrigin}/approvals`;
    this.versions = tpp.versions;
    this.ledger = new LedgerWatch(world.service, log);
    this.steps = new RunSteps(tpp, (run) => {
      for (const [listener, id] of this.#runListeners) if (id === run.id) listener(run);
    });
  }

  static async create(parts: PortalParts): Promise<Portal> {
    const portal = new Portal(parts, await PortalTpp.open(parts.directory, parts.ca, parts.port));
    await portal.tpps();
    return portal;
  }

  /** @returns what ends it */
  onRunChange(id: string, listener: (run: PaymentRun) => void): () => void {
    this.#runListeners.set(listener, id);
    return () => void this.#runListeners.delete(listener);
  }

  /** All TPPs of the sandbox, the portal's first; further ones may have been enrolled while it runs. */
  async tpps(): Promise<{ name: string; softwareId: string }[]> {
    const { portal, tpps } = await readDescription(this.parts.directory);
    const all = [portal.tpp, ...tpps].map(({ name, software_id: softwareId }) => ({ name, softwareId }));
    this.#names = new Map(all.map(({ name, softwareId }) => [softwareId, name]));
    return all;
  }

  readonly nameOf = (softwareId: string): string => this.#names.get(softwareId) ?? softwareId;

  send(
    reply: FastifyReply,
    page: Omit<Parameters<typeof createPage>[0], 'docsUrl' | 'discoveryUrl'> & { content: Html },
  ): FastifyReply {
    const { base_url: baseUrl, discovery_uri: discoveryUrl } = this.parts.description;
    return reply
      .type('text/html; charset=utf-8')
      .send(createPage({ ...page, docsUrl: `${baseUrl}/docs`, discoveryUrl }));
  }

  async stop(): Promise<void> {
    this.streams.close();
    await this.ledger.stop();
    await this.steps.stop();
  }
}
