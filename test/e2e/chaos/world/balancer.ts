import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * In front of several processes of one application: gives each connection to the next one that takes it, TLS and all.
 */
export class Balancer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #next = 0;

  private constructor(private readonly ports: readonly number[]) {
    this.#server = createServer((incoming) => {
      this.#keep(incoming);
      this.#next += 1;
      this.#pass(incoming, this.#next, this.ports.length);
    });
  }

  /**
   * @param port where it listens
   * @param ports of the processes
   */
  static async start(port: number, ports: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(ports);
    balancer.#server.listen(port, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #pass(incoming: Socket, turn: number, attempts: number): void {
    const outgoing = connect(this.ports[turn % this.ports.length] ?? 0, '127.0.0.1');
    this.#keep(outgoing);
    outgoing.once('connect', () => {
      incoming.pipe(outgoing).pipe(incoming);
      incoming.once('close', () => outgoing.destroy());
      outgoing.once('close', () => incoming.destroy());
    });
    outgoing.once('error', () => {
      if (outgoing.bytesRead + outgoing.bytesWritten === 0 && attempts > 1)
        this.#pass(incoming, turn + 1, attempts - 1);
      else incoming.destroy();
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
