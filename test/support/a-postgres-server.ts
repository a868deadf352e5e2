import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A server that speaks just enough of PostgreSQL's protocol to be asked what it is. */
export class APostgresServer {
  readonly sockets = new Set<Socket>();
  /** the one row of each answer, one after the other; the last stays */
  answers: Readonly<Record<string, string>>[];
  readonly #server: Server;

  constructor(...answers: readonly Readonly<Record<string, string>>[]) {
    this.answers = [...answers];
    this.#server = createServer((socket) => this.#serve(socket));
  }

  get host(): { host: string; port: number } {
    return { host: '127.0.0.1', port: (this.#server.address() as AddressInfo).port };
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('data', (bytes) => {
      const isQuery = bytes[0] === 'Q'.charCodeAt(0);
      if (bytes[0] === 'X'.charCodeAt(0)) socket.end();
      else socket.write(isQuery ? this.#row() : Buffer.concat([message('R', Buffer.alloc(4)), ready()]));
    });
  }

  #row(): Buffer {
    const [row = {}] = this.answers.length > 1 ? this.answers.splice(0, 1) : this.answers;
    const names = Object.keys(row).map((name) =>
      // A text, of no table.
      Buffer.concat([Buffer.from(`${name}\0`), Buffer.from('00000000000000000019ffffffffffff0000', 'hex')]),
    );
    const values = Object.values(row).map((value) => Buffer.concat([int32(value.length), Buffer.from(value)]));
    return Buffer.concat([
      message('T', Buffer.concat([int16(names.length), ...names])),
      message('D', Buffer.concat([int16(values.length), ...values])),
      message('C', Buffer.from('SELECT 1\0')),
      ready(),
    ]);
  }
}

function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function ready(): Buffer {
  return message('Z', Buffer.from('I'));
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  return int32(value).subarray(2);
}
