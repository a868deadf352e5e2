import { v7 as uuidv7 } from 'uuid';
import { createInitiation, createPostHeaders, createToken, pispOf, oursTokenSql } from '../api-requests.mjs';
import { countRows } from '../count-rows.mjs';
import { apiNodeOptions, createEnvironment } from '../environment.mjs';
import { worstFiles } from '../worst-files.mjs';
import { storeConsentsForUpload } from './upload-file-150-payments.mjs';

export const name = 'worst-uploads';
export const check = 'upload';
export const requests = { quick: 5, full: 100 };

/**
 * Uploads of the benchmark's file and of the most expensive ones, in turns by the same process: the ratio of processor
 * time says how many times as much the latter cost, from the connection to the answer.
 */
export async function prepare({ createOurs, query, pki, client, serverKey, directoryUrl, poolSize }) {
  const url = await createOurs('worst_uploads');
  const { token, row } = createToken({ client, pki });
  await query(url, oursTokenSql, row);
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
  const servers = worstFiles.map((file) => ({
    name: file.name,
    process: 'ours',
    module: 'api-app',
    nodeOptions: apiNodeOptions,
    settings,
    isClosed: file.isClosed,
    check: file.isLegal ? 'upload' : 'refusedUpload',
    createRequests: (requestCount) => createRequests(file, requestCount),
  }));
  // Every answer must have stored exactly the octets and changed its consent, or stored nothing. Some files are equal.
  const counts = worstFiles.map(({ name: server, hash, isLegal }) => ({
    server,
    url,
    rows: `payment_files JOIN file_payment_consents USING (consent_id)
      WHERE sha256(content) = '\\x${hash.toString('hex')}' AND status = 'AwaitingAuthorisation'`,
    perAnswer: isLegal ? worstFiles.filter((other) => other.hash.equals(hash)).length : 0,
  }));
  return { servers, verify: await countRows(query, counts) };
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
