import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyRequest } from 'fastify';

type Done = (error: Error | null, body?: Buffer) => void;

/** Octets that must be there for so many times of them to be set aside: nobody gets memory for what he only announces. */
const mostSetAside = 8;
/** Octets of a refused body that are still taken off the connection. */
const mostDiscarded = 2_097_152;
/** The longest that a connection with a refused body stays open, in milliseconds. */
const longestDiscarding = 2_000;

/**
 * Reads a body of any content type into one Buffer, octet for octet, up to the limit of its route. A longer one is refused by its Content-Length
 * before anything of it is read, or else with the first octet too many. Each octet is copied once.
 */
export function readBody(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  const limit = request.routeOptions.bodyLimit;
  const { 'content-length': contentLength } = request.headers;
  const announced = contentLength === undefined ? undefined : Number(contentLength);
  if (announced !== undefined && announced > limit) {
    refuse(payload, done);
    return;
  }
  const body = new ReceivedBody(announced);
  const onData = (chunk: Buffer): void => {
    if (body.length + chunk.length <= limit) body.add(chunk);
    else {
      stop();
      refuse(payload, done);
    }
  };
  const onEnd = (): void => {
    stop();
    done(null, body.toBuffer());
  };
  const onError = (error: Error): void => {
    stop();
    done(Object.assign(error, { statusCode: 400 }));
  };
  const stop = (): void => {
    payload.off('data', onData).off('end', onEnd).off('error', onError);
  };
  payload.on('data', onData).on('end', onEnd).on('error', onError);
}

/** What has come of a body. */
class ReceivedBody {
  readonly #announced: number | undefined;
  #chunks: Buffer[] = [];
  #whole: Buffer | undefined;
  length = 0;

  /** @param announced length of the whole, where it is known */
  constructor(announced: number | undefined) {
    this.#announced = announced;
  }

  add(chunk: Buffer): void {
    if (this.#whole !== undefined) chunk.copy(this.#whole, this.length);
    else this.#chunks.push(chunk);
    this.length += chunk.length;
    // Chunks that are copied as they come die young; kept to the end, they would be collected with everything that lives long.
    if (this.#whole === undefined && this.#announced !== undefined && this.length * mostSetAside >= this.#announced) {
      this.#whole = Buffer.allocUnsafe(this.#announced);
      let at = 0;
      for (const early of this.#chunks) at += early.copy(this.#whole, at);
      this.#chunks = [];
    }
  }

  toBuffer(): Buffer {
    return this.#whole ?? Buffer.concat(this.#chunks, this.length);
  }
}

/**
 * Refuses a body that is too long. The answer goes out at once. Whoever is still sending would not get to read it if the connection were reset
 * under him: some of the rest is taken and thrown away, and the connection is closed when the body has ended, or soon.
 */
function refuse(payload: IncomingMessage, done: Done): void {
  const { socket } = payload;
  const close = socket.destroySoon.bind(socket);
  let isAnswered = false;
  let isEnded = false;
  let discarded = 0;
  const onEnd = (): void => {
    clearTimeout(timer);
    isEnded = true;
    if (isAnswered) close();
  };
  const timer = setTimeout(onEnd, longestDiscarding);
  // Node calls it as soon as an answer is out after which the connection is to be closed.
  socket.destroySoon = () => {
    isAnswered = true;
    if (isEnded) close();
  };
  payload
    .on('data', ({ length }: Buffer) => {
      discarded += length;
      if (discarded > mostDiscarded) payload.pause();
    })
    .once('end', onEnd)
    .once('close', onEnd)
    .on('error', onEnd);
  done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
}
