import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.js';

/** An answer of the bank on its way to the service. */
export interface BankAnswer {
  status: number;
  body: string;
}

/** What the gate does with an exchange that the bank has carried out. */
type Misconduct = (exchange: { method: string; path: string; answer: BankAnswer; dice: Random }) => Promise<Deed>;

/** The answer that the service gets instead, if any. */
type Deed = BankAnswer | 'cut';

/** PEM texts for mutual TLS on both sides. */
interface GateCredentials {
  readonly ca: string;
  readonly certificate: string;
  readonly privateKey: string;
  readonly clientCertificate: string;
  readonly clientPrivateKey: string;
}

/**
 * Stands between the service and the sandbox's bank, with mutual TLS on both sides. It records requests, and changes
 * the answers as the faults of the bank say. The bank behind it always carries out requests.
 */
export class BankGate {
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #misconducts = new Map<symbol, { misconduct: Misconduct; dice: Random; percent: number }>();
  /** requests to make a payment, including repeated ones */
  handOvers = 0;
  /** answers that were changed */
  readonly spoilt = new Map<string, number>();

  private constructor(
    private readonly bankUrl: string,
    credentials: GateCredentials,
  ) {
    const { ca, certificate, privateKey, clientCertificate, clientPrivateKey } = credentials;
    this.#agent = new Agent({ keepAlive: true, ca, cert: clientCertificate, key: clientPrivateKey });
    this.#server = createServer(
      { cert: certificate, key: privateKey, ca: clientCertificate, requestCert: true },
      (incoming, outgoing) => {
        // Nobody waits for the answer any more, but the bank has carried out the request.
        this.#exchange(incoming, outgoing).catch(() => outgoing.destroy());
      },
    );
  }

  static async start(port: number, bankUrl: string, credentials: GateCredentials): Promise<BankGate> {
    const gate = new BankGate(bankUrl, credentials);
    gate.#server.listen(port, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  /** Makes that percentage of exchanges with payments fail, for a while. */
  async misbehave(
    name: string,
    misconduct: Misconduct,
    options: { dice: Random; percent: number; milliseconds: number },
  ) {
    const key = Symbol(name);
    const counted: Misconduct = (exchange) => {
      this.spoilt.set(name, (this.spoilt.get(name) ?? 0) + 1);
      return misconduct(exchange);
    };
    this.#misconducts.set(key, { misconduct: counted, dice: options.dice, percent: options.percent });
    await sleep(options.milliseconds);
    this.#misconducts.delete(key);
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await closed;
  }

  async #exchange(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const body = await readAll(incoming);
    if (method === 'POST' && path === '/payments') this.handOvers += 1;
    const answer = await this.#ask({ method, path, headers, body });
    const deed = await this.#judge(method, path, answer);
    if (deed === 'cut') outgoing.destroy();
    else outgoing.writeHead(deed.status, { 'content-type': 'application/json' }).end(deed.body);
  }

  async #judge(method: string, path: string, answer: BankAnswer): Promise<Deed> {
    if (!path.startsWith('/payment')) return answer;
    for (const { misconduct, dice, percent } of this.#misconducts.values()) {
      if (dice.happens(percent)) return misconduct({ method, path, answer, dice });
    }
    return answer;
  }

  #ask(sent: { method: string; path: string; headers: IncomingMessage['headers']; body: string }): Promise<BankAnswer> {
    const { host: _, connection: __, ...headers } = sent.headers;
    return new Promise((resolve, reject) => {
      const call = request(
        `${this.bankUrl}${sent.path}`,
        { method: sent.method, headers, agent: this.#agent },
        (incoming) => {
          readAll(incoming).then((body) => resolve({ status: incoming.statusCode ?? 0, body }), reject);
        },
      );
      call.on('error', reject);
      call.end(sent.body);
    });
  }
}

async function readAll(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
