import { randomUUID } from 'node:crypto';
import type { HttpsClient, HttpsRequest, HttpsResponse } from '../https-client.js';
import { expectEqual, sendExpecting } from '../journey-error.js';
import { parseJsonObject } from '../json.js';
import type { ApiVersion } from './api-version.js';

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
export abstract class ReadWriteClient<
  Consent extends object,
  Options extends ReadWriteClientOptions = ReadWriteClientOptions,
> {
  readonly version: ApiVersion;

  /** @param consents path of its consents */
  constructor(
    protected readonly consents: `/${string}-consents`,
    protected readonly options: Options,
  ) {
    this.version = options.version;
  }

  /** @param accessToken of the client itself */
  readConsent(accessToken: string, consentId: string): Promise<Consent> {
    return this.get(accessToken, `${this.consents}/${consentId}`);
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
}

/** One without payments. Nothing in it is signed. */
export abstract class UnsignedClient<Consent extends object> extends ReadWriteClient<Consent> {
  /** Ends the consent; the customer's tokens end with it. */
  async deleteConsent(accessToken: string, consentId: string): Promise<void> {
    await this.send(`${this.consents}/${consentId}`, { method: 'DELETE', accessToken, status: 204 });
  }

  /** @returns the answer, which must be 201 */
  protected async post<Body extends object>(accessToken: string, path: string, content: object): Promise<Body> {
    const body = JSON.stringify(content);
    return parseJsonObject<Body>(await this.send(path, { method: 'POST', accessToken, body, status: 201 }));
  }
}
