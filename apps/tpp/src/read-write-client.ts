import { randomUUID } from 'node:crypto';
import type { ApiVersion } from './file-payments/api-version.js';
import type { HttpsClient, HttpsRequest, HttpsResponse } from './https-client.js';
import { expectEqual, sendExpecting } from './journey-error.js';
import { parseJsonObject } from './json.js';

/** What a client of the Read/Write API needs. */
export interface ReadWriteClientOptions {
  /** HTTPS with our client certificate */
  client: HttpsClient;
  /** `{base_url}/open-banking/v3.1/pisp` */
  baseUrl: string;
  /** of baseUrl */
  version: ApiVersion;
}

interface ReadWriteRequest {
  /** GET by default */
  readonly method?: HttpsRequest['method'];
  readonly accessToken: string;
  /** JSON */
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** status that the answer must have; 200 by default */
  readonly status?: number;
}

/** One of the Read/Write APIs, in one version. */
export abstract class ReadWriteClient<Options extends ReadWriteClientOptions = ReadWriteClientOptions> {
  readonly version: ApiVersion;

  constructor(protected readonly options: Options) {
    this.version = options.version;
  }

  /** @throws UnexpectedStatusError for another status, JourneyError if the answer does not have our interaction id */
  protected async send(path: string, request: ReadWriteRequest): Promise<HttpsResponse> {
    const { method = 'GET', accessToken, body, headers, status = 200 } = request;
    const name = 'x-fapi-interaction-id';
    const interactionId = randomUUID();
    const response = await sendExpecting(status, this.options.client, {
      method,
      url: `${this.options.baseUrl}${path}`,
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: 'application/json',
        [name]: interactionId,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    expectEqual(response.headers[name], interactionId, name);
    return response;
  }

  protected async get<Body extends object>(accessToken: string, path: string): Promise<Body> {
    return parseJsonObject<Body>(await this.send(path, { accessToken }));
  }

  /** @returns the answer, which must be 201 */
  protected async postUnsigned<Body extends object>(accessToken: string, path: string, content: object): Promise<Body> {
    const body = JSON.stringify(content);
    return parseJsonObject<Body>(await this.send(path, { method: 'POST', accessToken, body, status: 201 }));
  }

  protected async delete(accessToken: string, path: string): Promise<void> {
    await this.send(path, { method: 'DELETE', accessToken, status: 204 });
  }
}
