import { v7 as uuidv7 } from 'uuid';
import { createInitiation, createPostHeaders, pispOf } from '../api-requests.mjs';
import { prepareFilePayments } from '../file-payments-servers.mjs';
import { floorUploadSchema } from '../servers/schemas.mjs';
import { memoryLimit } from '../shipped-limits.mjs';
import { worstFiles } from '../worst-files.mjs';
import { storeConsentsForUpload, storeFloorConsents } from './upload-file-150-payments.mjs';

const filesAtOnce = 100;

export const name = 'memory';
export const check = 'upload';
export const requests = { quick: filesAtOnce, full: filesAtOnce };
export const rounds = { quick: 1, full: 3 };
export const warmUp = 1;
export const connections = filesAtOnce;
export const pace = 0;

const file = worstFiles.find((each) => each.name === '4.0, legal: one string of escapes');

/** A hundred of the longest files at once from one TPP: some are taken, the others are told when to try again. */
export async function prepare(bench) {
  const { client } = bench;
  const create = async (server, count) => {
    const { name: serverName, url, token, version, isBase64Signed } = server;
    const consentIds = Array.from({ length: count }, () => uuidv7());
    if (serverName === 'floor') await storeFloorConsents(bench, { url, file }, consentIds);
    else await storeConsentsForUpload(bench, { url, file, initiation: createInitiation(file) }, consentIds);
    const uploads = consentIds.map(async (consentId) => ({
      path: `${pispOf(version)}/file-payment-consents/${consentId}/file`,
      headers: await createPostHeaders({ client, token, body: file.body, isBase64Signed }),
      body: 0,
    }));
    return { requests: await Promise.all(uploads), bodies: [file.body] };
  };
  const floor = { floorModule: 'floor-upload', floorSchema: floorUploadSchema };
  const { servers } = await prepareFilePayments(bench, 'memory', create, floor);
  const [ours, theirs] = ['v4.0', 'floor'].map((each) => servers.find((server) => server.name === each));
  return {
    servers: [
      { ...ours, name: 'ours' },
      { ...theirs, against: null },
    ],
    verify: assertWithinLimit,
  };
}

/** The process has not ended, or the benchmark would have. */
async function assertWithinLimit({ measured: [{ peak_rss_mb: peak, refused }] }) {
  if (peak > memoryLimit) throw new Error(`The API took ${peak} MB of memory; deployments give ${memoryLimit}.`);
  if (refused === filesAtOnce) throw new Error('Every file was refused.');
}
