import type { TestTpp } from '../support/a-tpp.js';
import { verifyDetached } from '../support/detached-jws.js';
import type { TestResponse } from '../support/https-request.js';

/** An answer as recorded: without values that are new each time. */
export interface RecordedAnswer {
  readonly name: string;
  /** method and path */
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON if it serialises to the same bytes, otherwise text */
  readonly body?: unknown;
}

/** Headers of the transport, or that count anew each time. */
const leftOut = new Set(['connection', 'content-length', 'date', 'keep-alive', 'ratelimit', 'transfer-encoding']);
const signature = 'x-jws-signature';
const interactionId = 'x-fapi-interaction-id';
const aDay = 86_400_000;
const anId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The interaction id of a request of the corpus, which the answer must repeat. */
export const sentInteractionId = '93BAC548-D2DE-4546-B106-880A5018460D';

/**
 * Replaces values that differ between runs: ids by their order, times by their form, the verified signature by the
 * members of its header; addresses lose their host. Everything else stays, to the byte.
 */
export function normalise(name: string, request: string, response: TestResponse, tpp: TestTpp): RecordedAnswer {
  const normaliseText = textNormaliser(tpp);
  const normalisedRequest = normaliseText(request);
  const headers = Object.entries(response.headers)
    .filter(([header]) => !leftOut.has(header))
    .map(([header, value]) => {
      if (header === signature) return [header, describeSignature(response, tpp)];
      return [header, header === interactionId ? describeInteractionId(String(value)) : normaliseText(String(value))];
    });
  const text = normaliseText(response.text);
  return {
    name,
    request: normalisedRequest,
    status: response.status,
    headers: Object.fromEntries(headers.toSorted()) as Record<string, string>,
    ...(text === '' ? {} : { body: asJson(text) }),
  };
}

/** The places of ids count over all texts of one exchange: the same id has the same name in all of them. */
function textNormaliser({ sandbox, clientId, credentials }: TestTpp): (text: string) => string {
  const places = new Map<string, number>();
  const nameOf = (kind: string, id: string): string => {
    const place = places.get(id.toLowerCase()) ?? places.size + 1;
    places.set(id.toLowerCase(), place);
    return `<${id === id.toLowerCase() ? kind : kind.toUpperCase()} ${place}>`;
  };
  return (text) =>
    text
      .replaceAll(sandbox.description.base_url, '<base>')
      .replaceAll(clientId, '<client>')
      .replaceAll(credentials.orgId, '<organisation>')
      .replaceAll(credentials.softwareId, '<software>')
      .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, (id) => nameOf('id', id))
      .replaceAll(/\b[0-9a-f]{32}\b/g, (id) => nameOf('payment', id))
      .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, (time) =>
        Math.abs(Date.parse(time) - Date.now()) < 400 * aDay ? time.replaceAll(/\d/g, '0') : time,
      );
}

function describeInteractionId(id: string): string {
  return id === sentInteractionId || !anId.test(id) ? id : '<new id>';
}

function describeSignature(response: TestResponse, { bankKeys }: TestTpp): string {
  const header = verifyDetached(String(response.headers[signature]), response.body, bankKeys);
  return `fits the body: ${Object.keys(header).join(' ')}`;
}

function asJson(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return JSON.stringify(parsed) === text ? parsed : text;
  } catch {
    return text; // What is no JSON is kept as it is.
  }
}
