import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';

export interface HttpsRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  url: string;
  headers?: Readonly<Record<string, string | string[]>>;
  body?: string | Buffer;
}

/** The answer, with the bytes of the body as received. */
export interface HttpsResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** One request with its answer and duration. */
export interface HttpsExchange {
  request: HttpsRequest;
  response: HttpsResponse;
  milliseconds: number;
}

const timeoutMilliseconds = 30_000;

/** HTTPS with chosen trust anchors and, if there is one, our client certificate. Follows no redirects. */
export class HttpsClient {
  readonly #agent: Agent;
  readonly #onExchange: ((exchange: HttpsExchange) => void) | undefined;

  /**
   * @param options.ca PEM of the authorities we trust; those of Node without it
   * @param options.certificate PEM of our client certificate, with `privateKey`
   * @param options.onExchange called for every finished exchange
   */
  constructor(options: {
    ca?: string;
    certificate?: string;
    privateKey?: string;
    onExchange?: (exchange: HttpsExchange) => void;
  }) {
    const { ca, certificate: cert, privateKey: key, onExchange } = options;
    this.#agent = new Agent({
      keepAlive: true,
      rejectUnauthorized: true,
      ...(ca && { ca }),
      ...(cert && key && { cert, key }),
    });
    this.#onExchange = onExchange;
  }

  /** Sends a request and reads the whole answer. Rejects when there is none. */
  async send(outgoing: HttpsRequest): Promise<HttpsResponse> {
    const startedAt = performance.now();
    const response = await exchange(outgoing, this.#agent);
    this.#onExchange?.({ request: outgoing, response, milliseconds: performance.now() - startedAt });
    return response;
  }

  /** Closes the connections that are kept open. */
  close(): void {
    this.#agent.destroy();
  }
}

function exchange({ method, url, headers = {}, body }: HttpsRequest, agent: Agent): Promise<HttpsResponse> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = request(
      url,
      { method, agent, headers: { ...length, ...headers }, timeout: timeoutMilliseconds },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
        );
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${timeoutMilliseconds / 1_000} s`)));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
