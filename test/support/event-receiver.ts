import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { aCertificate } from './certificates.js';

/** The receiver of the bank's events. It keeps each accepted token, and can be told to accept none. */
export class EventReceiver {
  /** compact JWS, in the order of arrival */
  readonly tokens: string[] = [];
  /** requests that it did not accept */
  refused = 0;
  /** status of its answers */
  status = 202;
  /** it answers when so many requests have arrived */
  together = 1;
  readonly #waiting: (() => void)[] = [];

  private constructor(
    private readonly server: Server,
    /** PEM of its certificate */
    readonly ca: string,
  ) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (this.status === 202) this.tokens.push(Buffer.concat(chunks).toString());
        else this.refused += 1;
        this.#waiting.push(() => response.writeHead(this.status, { location: 'https://localhost:1/' }).end());
        if (this.#waiting.length >= this.together) for (const answer of this.#waiting.splice(0)) answer();
      });
    });
  }

  static async start(): Promise<EventReceiver> {
    const authority = await aCertificate({ profile: 'authority', name: 'Receiver CA' });
    const { certificate, privateKeyPem } = await aCertificate({
      profile: 'server',
      name: 'localhost',
      issuer: authority,
    });
    const server = createServer({ cert: certificate, key: privateKeyPem });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new EventReceiver(server, authority.certificate);
  }

  get url(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}/events`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }
}
