import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createFailoverClient } from './failover-client.js';

/** A server that speaks just enough of PostgreSQL's protocol to be asked whether it is read-only. */
class Standby {
  readonly sockets = new Set<Socket>();
  readonly #server: Server;
  /** what it says, one answer after the other; the last stays */
  answers = ['off', 'on'];

  constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  async start(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('data', (octets) => {
      const isQuery = octets[0] === 'Q'.charCodeAt(0);
      if (octets[0] === 'X'.charCodeAt(0)) socket.end();
      else socket.write(isQuery ? this.#row() : Buffer.concat([message('R', Buffer.alloc(4)), ready()]));
    });
  }

  #row(): Buffer {
    const [answer = 'on'] = this.answers.length > 1 ? this.answers.splice(0, 1) : this.answers;
    const name = Buffer.from('transaction_read_only\0');
    const column = Buffer.concat([name, Buffer.from('00000000000000000019ffffffffffff0000', 'hex')]);
    const value = Buffer.concat([int32(answer.length), Buffer.from(answer)]);
    return Buffer.concat([
      message('T', Buffer.concat([int16(1), column])),
      message('D', Buffer.concat([int16(1), value])),
      message('C', Buffer.from('SHOW\0')),
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
  const octets = Buffer.alloc(4);
  octets.writeInt32BE(value);
  return octets;
}

function int16(value: number): Buffer {
  return int32(value).subarray(2);
}

describe('a client of several servers', () => {
  const standby = new Standby();

  afterEach(() => standby.stop());

  it('closes its connection to a server that takes writes no more, and says so', async () => {
    const port = await standby.start();
    const hosts = [
      { host: '127.0.0.1', port },
      { host: '127.0.0.1', port },
    ];
    standby.answers = ['off', 'off', 'on'];
    const client = new (createFailoverClient(hosts))({ user: 'x', database: 'x', host: '127.0.0.1', port });
    await expect(client.connect()).rejects.toThrow('does not accept writes');
    for (let attempt = 0; attempt < 6_000 && standby.sockets.size > 0; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(standby.sockets.size).toBe(0);
  });
});
