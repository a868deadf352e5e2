import { randomUUID } from 'node:crypto';
import type { ApiVersion } from './file-payments/api-version.js';
import type { HttpsClient, HttpsRequest, HttpsResponse } from './https-client.js';
import { expectEqual, expectStatus } from './journey-error.js';

interface UnsignedRequest {
  readonly method: HttpsRequest['method'];
  readonly accessToken: string;
  /** JSON */
  readonly body?: string;
  /** status that the answer must have; 200 by default */
  readonly status?: number;
}

/** An API whose requests are unsigned, in one version of it. */
export abstract class UnsignedApi {
  readonly version: ApiVersion;
  readonly #client: HttpsClient;
  readonly #baseUrl: string;

  /**
   * @param options.client HTTPS with our client certificate
   * @param options.baseUrl `{base_url}/open-banking/v3.1/aisp`
   * @param options.version of baseUrl
   */
  constructor(options: { client: HttpsClient; baseUrl: string; version: ApiVersion }) {
    this.version = options.version;
    this.#client = options.client;
    this.#baseUrl = options.baseUrl;
  }

  /** @throws UnexpectedStatusError for another status, JourneyError if the answer does not have our interaction id */
  protected async send(
    path: string,
    { method, accessToken, body, status = 200 }: UnsignedRequest,
  ): Promise<HttpsResponse> {
    const name = 'x-fapi-interaction-id';
    const headers: Record<string, string> = {
      authorization: `Bearer ${accessToken}`,
      accept: 'application/json',
      [name]: randomUUID(),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const url = `${this.#baseUrl}${path}`;
    const request: HttpsRequest = { method, url, headers, ...(body !== undefined && { body }) };
    const response = await this.#client.send(request);
    expectStatus(status, request, response);
    expectEqual(response.headers[name], headers[name], name);
    return response;
  }
}
