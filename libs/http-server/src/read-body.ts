import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyRequest } from 'fastify';
import { BodilessError } from './bodiless-error.js';

type Done = (error: Error | null, body?: Buffer) => void;

/** Memory is reserved in proportion to the bytes received, never for what is only announced. */
const mostSetAside = 8;
/** Bytes of a refused body that are still read and discarded. */
const mostDiscarded = 2_097_152;
/** Maximum time that a connection with a refused body stays open, in milliseconds. */
const longestDiscarding = 2_000;
/** Seconds that every body may take, and the bytes that must come in each further one. */
const shortestComing = 5;
const leastRate = 100_000;

/**
 * Reads a body of any content type into one Buffer, byte for byte, up to the limit of its route. A longer one is
 * refused by its Content-Length before it is read, or at the first surplus byte, and a slow one when its time is over.
 * Each byte is copied once.
 */
export function readBody(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  const limit = request.routeOptions.bodyLimit;
  const { 'content-length': contentLength } = request.headers;
  const announced = contentLength === undefined ? undefined : Number(contentLength);
  if (announced !== undefined && announced > limit) {
    refuse(payload, done, new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    return;
  }
  const body = new ReceivedBody(announced);
  const onData = (chunk: Buffer): void => {
    if (body.length + chunk.length <= limit) body.add(chunk);
    else {
      stop();
      refuse(payload, done, new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
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
  // Whole seconds: Node keeps timers of one duration in one list.
  const longestComing = shortestComing + Math.ceil((announced ?? limit) / leastRate);
  const timer = setTimeout(() => {
    stop();
    refuse(payload, done, new BodilessError(408, 'the body comes too slowly'));
  }, longestComing * 1_000);
  const stop = (): void => {
    clearTimeout(timer);
    payload.off('data', onData).off('end', onEnd).off('error', onError);
  };
  payload.on('data', onData).on('end', onEnd).on('error', onError);
}

/** The received part of a body. */
class ReceivedBody {
  #chunks: Buffer[] = [];
  #whole: Buffer | undefined;
  length = 0;

  /** @param announced total length, if known */
  constructor(private readonly announced: number | undefined) {}

  add(chunk: Buffer): void {
    if (this.#whole !== undefined) chunk.copy(this.#whole, this.length);
    else this.#chunks.push(chunk);
    this.length += chunk.length;
    // Chunks copied on arrival are garbage immediately; kept to the end, they would reach the old generation.
    if (this.#whole === undefined && this.announced !== undefined && this.length * mostSetAside >= this.announced) {
      this.#whole = Buffer.allocUnsafe(this.announced);
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
 * Refuses a body that is too long or too slow, and answers immediately. A client that is still sending could not read
 * the answer if the connection were reset, so some of the rest is read and discarded; the connection closes when the
 * body has ended, or soon.
 */
function refuse(payload: IncomingMessage, done: Done, error: Error): void {
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
  // Node calls it after an answer that closes the connection.
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
  done(error);
}
