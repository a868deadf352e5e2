import type { HttpsResponse } from './https-client.js';
import { JourneyError } from './journey-error.js';

export type JsonObject = Record<string, unknown>;

/**
 * @returns the body as a JSON object; the caller names the members it relies on
 * @throws JourneyError if it is something else
 */
export function parseJsonObject<Body extends object = JsonObject>({ body }: Pick<HttpsResponse, 'body'>): Body {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Body;
  } catch (cause) {
    throw new JourneyError(`a body is not JSON: ${body.toString().slice(0, 100)}`, { cause });
  }
  throw new JourneyError(`a body is not a JSON object: ${body.toString().slice(0, 100)}`);
}
