import { randomUUID } from 'node:crypto';
import type { HttpsClient, HttpsRequest, HttpsResponse } from './https-client.js';
import { expectEqual, expectStatus } from './journey-error.js';

/** A request to an API whose requests are unsigned. */
export interface UnsignedRequest {
  readonly method: HttpsRequest['method'];
  readonly url: string;
  readonly accessToken: string;
  /** JSON */
  readonly body?: string;
  /** status that the answer must have; 200 by default */
  readonly status?: number;
}

/**
 * @param client HTTPS with our client certificate
 * @returns the answer
 * @throws UnexpectedStatusError for another status, JourneyError if the answer does not have our interaction id
 */
export async function sendUnsigned(
  client: HttpsClient,
  { method, url, accessToken, body, status = 200 }: UnsignedRequest,
): Promise<HttpsResponse> {
  const name = 'x-fapi-interaction-id';
  const headers: Record<string, string> = {
    authorization: `Bearer ${accessToken}`,
    accept: 'application/json',
    [name]: randomUUID(),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const request: HttpsRequest = { method, url, headers, ...(body !== undefined && { body }) };
  const response = await client.send(request);
  expectStatus(status, request, response);
  expectEqual(response.headers[name], headers[name], name);
  return response;
}
