// What the journeys share: a TPP's requests, and the end of the hand-over.
import { setTimeout as pause } from 'node:timers/promises';
import { HttpsClient } from '../../dist/apps/tpp/src/https-client.js';

const parse = ({ body }) => (body.length > 0 ? JSON.parse(body) : undefined);

/** HTTPS as a TPP, or as a customer's browser at a floor. Whatever is not expected is an error. */
export function createTpp({ ca, client: { certificate, privateKey } }) {
  const client = new HttpsClient({ ca, certificate, privateKey });
  const send = async (port, path, request) => {
    const answer = await client.send({ url: `https://localhost:${port}${path}`, ...request });
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${answer.body}`);
    return answer;
  };
  return {
    send,
    get: async (port, path, headers) => parse(await send(port, path, { method: 'GET', headers })),
    post: async (port, path, headers, body) => parse(await send(port, path, { method: 'POST', headers, body })),
    close: () => client.close(),
  };
}

/** Waits until the statement finds nothing. */
export async function untilNone(query, sql) {
  while ((await query(sql)).rows.length > 0) await pause(50);
}
