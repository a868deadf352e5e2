import type { IncomingMessage } from 'node:http';
import { request, type Agent } from 'node:https';

export interface OutgoingRequest {
  readonly url: URL;
  /** instead of the URL's */
  readonly path?: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** of this server alone */
  readonly agent: Agent;
  /** the deadline for everything: waiting for a connection, connecting, the answer, and a repetition */
  readonly signal: AbortSignal;
  /** of the answer; without it, only the status counts */
  readonly maxBytes?: number;
  /** a server that has had the request may have it again */
  readonly isRepeatable: boolean;
}

export interface OutgoingAnswer {
  readonly status: number;
  readonly text: string;
}

export class AnswerTooLongError extends Error {
  override readonly name = 'AnswerTooLongError';
}

/** The request failed on a connection that was kept from an earlier one. */
class KeptConnectionError extends Error {
  override readonly name = 'KeptConnectionError';
}

/**
 * One HTTPS request and its answer. Redirects are not followed. When a kept connection fails before the answer or is
 * silent until the deadline, the idle ones are taken for dead too, and are closed.
 * @throws AnswerTooLongError; Error for whatever is no complete answer
 */
export async function exchange(outgoing: OutgoingRequest): Promise<OutgoingAnswer> {
  try {
    return await attempt(outgoing);
  } catch (error) {
    if (!(error instanceof KeptConnectionError)) throw error;
    for (const socket of Object.values(outgoing.agent.freeSockets).flat()) socket?.destroy();
    const isRepeatable = outgoing.isRepeatable || wasNotSent(error.cause);
    if (outgoing.signal.aborted || !isRepeatable) throw error.cause;
    return attempt(outgoing);
  }
}

/** The system has refused to send the request, or its end. */
function wasNotSent(cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException).syscall === 'write';
}

function attempt({ url, body, maxBytes, ...options }: OutgoingRequest): Promise<OutgoingAnswer> {
  const length = body && { 'content-length': String(body.length) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, headers: { ...options.headers, ...length } }, (incoming) => {
      readText(incoming, maxBytes).then((text) => resolve({ status: incoming.statusCode ?? 0, text }), reject);
    });
    sent.on('error', (cause) => reject(sent.reusedSocket ? new KeptConnectionError('', { cause }) : cause));
    sent.end(body);
  });
}

async function readText(incoming: IncomingMessage, maxBytes: number | undefined): Promise<string> {
  if (maxBytes === undefined) {
    // What fails after the status changes nothing.
    incoming.on('error', () => undefined).resume();
    return '';
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > maxBytes) throw new AnswerTooLongError(`The answer has more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
