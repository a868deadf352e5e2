import { createServer as createHttpsServer } from 'node:https';
import { createServer, request, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { aCertificate } from '../../support/certificates.js';

/** A module of a plan, with its result. */
export interface ModuleResult {
  name: string;
  /** PASSED, REVIEW (somebody has to look at a page), SKIPPED, WARNING, FAILED */
  result: string;
  /** what the suite says went wrong */
  findings: string[];
}

interface Plan {
  id: string;
  modules: { testModule: string; variant?: object }[];
}

interface LogEntry {
  result?: string;
  src?: string;
  msg?: string;
}

const ended = ['FINISHED', 'INTERRUPTED'];

/** The OpenID Foundation's conformance suite, running on this machine in its development mode, without TLS. */
export class ConformanceSuite {
  readonly #address: URL;
  readonly #base: URL;
  readonly #servers: Server[] = [];

  /**
   * @param address where the suite listens, http
   * @param base its `fintechlabs.base_url`, the address that it believes to have; https and not localhost, because
   * redirect URIs must be
   */
  constructor(address: string, base: string) {
    this.#address = new URL(address);
    this.#base = new URL(base);
  }

  /** @returns the redirect URI of the tests under an alias */
  callback(alias: string, query = ''): string {
    return `${this.#base.origin}/test/a/${alias}/callback${query}`;
  }

  /**
   * Ends TLS in front of the suite.
   * @param proxyPort of a proxy that delays a little, as a network does: the suite's TLS probes keep writing after the
   *   server has refused them, and without a delay they lose the alert
   */
  async serve(proxyPort: number): Promise<void> {
    const { privateKeyPem: key, certificate: cert } = await aCertificate({
      profile: 'server',
      name: this.#base.hostname,
    });
    const forwarded = {
      host: this.#base.host,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': this.#base.hostname,
      'x-forwarded-port': this.#base.port,
    };
    const front = createHttpsServer({ key, cert }, (incoming, answer) => {
      const { url: path, method, headers } = incoming;
      const { hostname, port } = this.#address;
      const onward = request({ hostname, port, path, method, headers: { ...headers, ...forwarded } }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      incoming.pipe(onward);
    });
    await this.#listen(front, Number(this.#base.port));
    await this.#listen(createSlowProxy(), proxyPort);
  }

  stop(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  createPlan(name: string, variant: object, config: object): Promise<Plan> {
    const query = new URLSearchParams({ planName: name, variant: JSON.stringify(variant) });
    return this.#ask<Plan>('POST', `plan?${query.toString()}`, JSON.stringify(config));
  }

  /** Runs one module to its end. */
  async run(plan: Plan, { testModule: test, variant }: Plan['modules'][number]): Promise<ModuleResult> {
    const query = new URLSearchParams({ test, plan: plan.id, ...(variant && { variant: JSON.stringify(variant) }) });
    const { id } = await this.#ask<{ id: string }>('POST', `runner?${query.toString()}`);
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const info = await this.#ask<{ status?: string; result?: string }>('GET', `info/${id}`);
      if (ended.includes(info.status ?? '')) {
        const { result = 'FAILED' } = info;
        return { name: test, result, findings: result === 'PASSED' ? [] : await this.#findings(id) };
      }
      await pause(200);
    }
    return { name: test, result: 'FAILED', findings: ['It did not end within two minutes.'] };
  }

  async #findings(id: string): Promise<string[]> {
    const entries = await this.#ask<LogEntry[]>('GET', `log/${id}`);
    return entries
      .filter(({ result }) => result === 'FAILURE' || result === 'WARNING')
      .map(({ result, src, msg }) => `${result} ${src}: ${msg}`.slice(0, 500));
  }

  async #ask<Answer>(method: string, path: string, body?: string): Promise<Answer> {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': this.#base.host,
    };
    const response = await fetch(new URL(`/api/${path}`, this.#address), { method, headers, ...(body && { body }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as Answer;
  }

  async #listen(server: Server, port: number): Promise<void> {
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  }
}

/** Accepts CONNECT and forwards everything 15 ms later. */
function createSlowProxy(): Server {
  const server = createServer();
  server.on('connect', ({ url = '' }, client: Socket) => {
    const target = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
    passSlowly(client, target);
    passSlowly(target, client);
  });
  return server;
}

const later = (step: () => void): NodeJS.Timeout => setTimeout(step, 15);

function passSlowly(from: Socket, to: Socket): void {
  from.on('data', (bytes: Buffer) => later(() => to.writable && to.write(bytes)));
  from.on('end', () => later(() => to.end()));
  from.on('error', () => later(() => to.end()));
}
