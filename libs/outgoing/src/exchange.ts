import { request, type Agent } from 'node:https';

export interface OutgoingRequest {
  readonly url: URL;
  /** instead of the URL's */
  readonly path?: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** of this server alone */
  readonly agent: Agent;
  /** milliseconds for everything: waiting for a connection, connecting, the answer, and a repetition */
  readonly patience: number;
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

/** There was no complete answer in time. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/** The request failed on a connection that was kept from an earlier one. */
class KeptConnectionError extends Error {
  override readonly name = 'KeptConnectionError';
}

/**
 * One HTTPS request and its answer. Redirects are not followed. When a kept connection fails before the answer or is
 * silent until the deadline, the idle ones are taken for dead too, and are closed.
 * @throws AnswerTooLongError; Error for whatever else is not a complete answer
 */
export async function exchange(outgoing: OutgoingRequest): Promise<OutgoingAnswer> {
  const end = performance.now() + outgoing.patience;
  try {
    return await attempt(outgoing, end);
  } catch (error) {
    if (!(error instanceof KeptConnectionError)) throw error;
    for (const socket of Object.values(outgoing.agent.freeSockets).flat()) socket?.destroy();
    const isAgain = outgoing.isRepeatable || wasNotSent(error.cause);
    if (error.cause instanceof NoAnswerError || !isAgain) throw error.cause;
    return attempt(outgoing, end);
  }
}

/** The system has refused to send the request, or its end. */
function wasNotSent(cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException).syscall === 'write';
}

/** With listeners and a timer, because streams and signals cost as much as the request itself. */
function attempt({ url, body, maxBytes, patience, ...options }: OutgoingRequest, end: number): Promise<OutgoingAnswer> {
  const headers = body === undefined ? options.headers : { ...options.headers, 'content-length': String(body.length) };
  let isAnswered = false;
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, headers }, (incoming) => {
      isAnswered = true;
      const status = incoming.statusCode ?? 0;
      if (maxBytes === undefined) {
        resolve({ status, text: '' });
        // What fails after the status changes nothing.
        incoming.on('error', () => undefined).resume();
        return;
      }
      const chunks: Buffer[] = [];
      let length = 0;
      incoming
        .on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length <= maxBytes) return;
          reject(new AnswerTooLongError(`The answer has more than ${maxBytes} bytes.`));
          incoming.destroy();
        })
        .on('end', () => resolve({ status, text: Buffer.concat(chunks).toString('utf8') }))
        .on('error', reject);
    });
    const fail = (cause: Error): void => reject(sent.reusedSocket ? new KeptConnectionError('', { cause }) : cause);
    const timer = setTimeout(
      () => {
        const late = new NoAnswerError(`no answer within ${patience} ms`);
        // Said at once: a request that waits for a connection has no socket, and closes only when it gets one.
        fail(late);
        sent.destroy(late);
      },
      Math.max(0, end - performance.now()),
    );
    sent.on('error', fail);
    sent.on('close', () => {
      clearTimeout(timer);
      // After a switch to another protocol (101) there is neither an answer nor an error.
      if (!isAnswered) fail(new Error('The connection ended without an answer.'));
    });
    sent.end(body);
  });
}
