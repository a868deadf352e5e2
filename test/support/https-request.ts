import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';

/** An answer, with the bytes of its body. */
export interface TestResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** the body as text */
  text: string;
  /** the body as JSON; throws when it is none */
  json: () => Record<string, unknown>;
}

/** A request; a header without a value is not sent. */
export interface TestRequest {
  url: string;
  method?: string;
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  body?: string | Buffer;
  agent: Agent;
}

/** @returns an agent that verifies the server and shows the client certificate, if there is one */
export function httpsAgent(options: { ca: string; certificate?: string; privateKey?: string }): Agent {
  const { ca, certificate: cert, privateKey: key } = options;
  return new Agent({ keepAlive: true, ca, ...(cert && key && { cert, key }) });
}

/** Opens that many connections and keeps them, so that simultaneous requests to the server need no handshake. */
export async function openConnections(agent: Agent, url: string, count: number): Promise<void> {
  const { origin } = new URL(url);
  await Promise.all(Array.from({ length: count }, () => httpsRequest({ url: `${origin}/`, agent })));
}

/** Sends one HTTPS request with exactly these headers and reads the whole answer. */
export function httpsRequest({ url, method = 'GET', headers = {}, body, agent }: TestRequest): Promise<TestResponse> {
  const sent = Object.fromEntries(
    Object.entries({ 'content-length': body === undefined ? undefined : String(Buffer.byteLength(body)), ...headers })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value as string | string[]]),
  );
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers: sent, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString();
        const json = (): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: bytes, text, json });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
