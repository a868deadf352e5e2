import { sentencesOf } from './customer/html-page.js';
import type { HttpsClient, HttpsRequest, HttpsResponse } from './https-client.js';

/** A failure of the journey. The message is one line. */
export class JourneyError extends Error {
  override readonly name: string = 'JourneyError';
}

/** The bank's answer does not have the status that the journey needs. */
export class UnexpectedStatusError extends JourneyError {
  override readonly name = 'UnexpectedStatusError';

  constructor(
    message: string,
    /** HTTP status of the answer */
    readonly status: number,
  ) {
    super(message);
  }
}

/** The bank has sent the customer back with an error. */
export class SentBackError extends JourneyError {
  override readonly name = 'SentBackError';

  constructor(error: string, description: string | null) {
    super(`the bank sent the customer back with ${error}${description === null ? '' : ` (${description})`}`);
  }
}

/** @throws UnexpectedStatusError with the bank's message, if the status differs */
export function expectStatus(expected: number, request: HttpsRequest, response: HttpsResponse): void {
  if (response.status === expected) return;
  const text = response.body.toString();
  const isPage = response.headers['content-type']?.startsWith('text/html') === true;
  const said = (isPage ? sentencesOf(text) : text).replace(/\s+/g, ' ').slice(0, 300);
  const { pathname } = new URL(request.url);
  throw new UnexpectedStatusError(
    `${request.method} ${pathname} was answered with ${response.status}, not ${expected}${said && `: ${said}`}`,
    response.status,
  );
}

/** @throws UnexpectedStatusError if the answer has another status */
export async function sendExpecting(
  expected: number,
  client: HttpsClient,
  request: HttpsRequest,
): Promise<HttpsResponse> {
  const response = await client.send(request);
  expectStatus(expected, request, response);
  return response;
}

/** @throws JourneyError with the words of `otherwise` if the request is not refused with 401 */
export async function expectTokenRefused(act: () => Promise<unknown>, otherwise: string): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof UnexpectedStatusError && error.status === 401) return;
    throw error;
  }
  throw new JourneyError(otherwise);
}

/** @throws JourneyError if the two are not the same */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected)
    throw new JourneyError(`${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

/** Wrong usage. The message is one line that says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
