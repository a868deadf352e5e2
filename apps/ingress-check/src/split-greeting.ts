import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Long enough that the pieces cannot arrive together. */
const pauseMilliseconds = 60;
/** In the middle of the record header, and of the host name. */
const firstBytes = 40;

/**
 * A connection to a server on which the ClientHello arrives in pieces, as a long one may.
 * @param socket a connection that is being opened; it ends with the returned one
 */
export function splitGreeting(socket: Socket): Duplex {
  let isGreeting = true;
  const split = new Duplex({
    read: () => socket.resume(),
    write: (chunk: Buffer, _encoding, done) => {
      if (!isGreeting) {
        socket.write(chunk, done);
        return;
      }
      isGreeting = false;
      socket.write(chunk.subarray(0, firstBytes));
      setTimeout(() => socket.write(chunk.subarray(firstBytes), done), pauseMilliseconds);
    },
    final: (done) => socket.end(done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.setNoDelay(true);
  socket.on('data', (chunk) => split.push(chunk));
  socket.on('end', () => split.push(null));
  socket.on('error', (error) => split.destroy(error));
  socket.on('close', () => split.destroy());
  return split;
}
