import { v7 as uuidv7 } from 'uuid';
import {
  createInitiation,
  createPostHeaders,
  createToken,
  floorTokenSql,
  oursTokenSql,
  pispOf,
} from '../api-requests.mjs';
import { countRows } from '../count-rows.mjs';
import { apiNodeOptions, createEnvironment } from '../environment.mjs';
import { floorUploadSchema } from '../servers/schemas.mjs';
import { worstFiles } from '../worst-files.mjs';
import { storeConsentsForUpload, storeFloorConsents } from './upload-file-150-payments.mjs';

export const name = 'worst-uploads';
export const check = 'upload';
// More at a time of one client get 429.
export const connections = 3;
export const requests = { quick: 5, full: 25 };
export const rounds = { quick: 1, full: 11 };
/** Of every file: together they are enough for the engine to compile the code. */
export const warmUp = 5;
/** A file of 2 MB leaves much. */
export const collectsGarbage = true;

const floorOf = (file) => `floor: ${file.name}`;

/**
 * Uploads of the benchmark's file and of the most expensive ones, in turns by the same process: the ratio of processor
 * time says how many times as much the latter cost, from the connection to the answer. The floor takes each legal file,
 * too: an upload is judged by what it costs there.
 */
export async function prepare(bench) {
  const { createDatabase, createOurs, query, pki, client, serverKey, directoryUrl, poolSize } = bench;
  const url = await createOurs('worst_uploads');
  const floor = await createDatabase('worst_uploads_floor');
  await query(floor, floorUploadSchema);
  const { token, row } = createToken({ client, pki });
  await query(url, oursTokenSql, row);
  await query(floor, floorTokenSql, row);
  const settings = {
    environment: createEnvironment({ databaseUrl: url, poolSize, pki, signingKey: serverKey, directoryUrl }),
  };
  const createRequests = async (file, requestCount) => {
    const { body, version, isChunked } = file;
    const isBase64Signed = file.isBase64Signed ?? version === '4.0';
    const consentIds = Array.from({ length: requestCount }, () => uuidv7());
    await storeConsentsForUpload({ query, client }, { url, file, initiation: createInitiation(file) }, consentIds);
    const requests = consentIds.map(async (consentId) => ({
      path: `${pispOf(version)}/file-payment-consents/${consentId}/file`,
      headers: await createPostHeaders({ client, token, body, isBase64Signed }),
      body: 0,
      isChunked,
    }));
    return { requests: await Promise.all(requests), bodies: [isChunked ? inChunks(body) : body] };
  };
  // The floor knows neither v4.0 nor the signature of 3.1.4: it gets the same bytes in the form that it knows.
  const createFloorRequests = async (file, requestCount) => {
    const { body } = file;
    const consentIds = Array.from({ length: requestCount }, () => uuidv7());
    await storeFloorConsents({ query, client }, { url: floor, file }, consentIds);
    const requests = consentIds.map(async (consentId) => ({
      path: `${pispOf('3.1')}/file-payment-consents/${consentId}/file`,
      headers: await createPostHeaders({ client, token, body }),
      body: 0,
    }));
    return { requests: await Promise.all(requests), bodies: [body] };
  };
  const legalFiles = worstFiles.filter(({ isLegal }) => isLegal);
  const ours = worstFiles.map((file) => ({
    name: file.name,
    process: 'ours',
    module: 'api-app',
    nodeOptions: apiNodeOptions,
    settings,
    isClosed: file.isClosed,
    check: file.isLegal ? 'upload' : 'refusedUpload',
    createRequests: (requestCount) => createRequests(file, requestCount),
  }));
  const floors = legalFiles.map((file) => ({
    name: floorOf(file),
    against: file.name,
    process: 'floor',
    module: 'floor-upload',
    settings: {
      pki,
      poolSize,
      databaseUrl: floor,
      client: { clientId: client.clientId, publicJwk: client.key.publicJwk },
    },
    check: 'upload',
    createRequests: (requestCount) => createFloorRequests(file, requestCount),
  }));
  // Every answer must have stored exactly the bytes and changed its consent, or stored nothing. Some files are equal.
  const counts = worstFiles.map(({ name: server, hash, isLegal }) => ({
    server,
    url,
    rows: `payment_files JOIN payment_consents USING (consent_id)
      WHERE sha256(content) = '\\x${hash.toString('hex')}' AND status = 'AwaitingAuthorisation'`,
    perAnswer: isLegal ? worstFiles.filter((other) => other.hash.equals(hash)).length : 0,
  }));
  const floorCounts = legalFiles.map((file) => ({
    server: floorOf(file),
    url: floor,
    rows: `payment_files JOIN consents USING (consent_id)
      WHERE sha256(content) = '\\x${file.hash.toString('hex')}' AND status = 'AwaitingAuthorisation'`,
    perAnswer: legalFiles.filter((other) => other.hash.equals(file.hash)).length,
  }));
  return { servers: [...ours, ...floors], verify: await countRows(query, [...counts, ...floorCounts]) };
}

/** RFC 9112 s7.1, in chunks of 16 KiB. */
function inChunks(body) {
  const parts = [];
  for (let at = 0; at < body.length; at += 16_384) {
    const part = body.subarray(at, at + 16_384);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}
