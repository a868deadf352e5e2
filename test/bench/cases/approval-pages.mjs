import { createHash, randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { createInitiation } from '../api-requests.mjs';
import { openApprovalPage } from '../customer-journey.mjs';
import { createEnvironment } from '../environment.mjs';
import { storeConsents } from '../file-payments-servers.mjs';
import { createPaymentFile } from '../payment-file.mjs';
import { Worker } from '../process.mjs';
import { floorPagesSchema } from '../servers/schemas.mjs';

export const name = 'approval-pages';
export const check = 'approvalPage';
export const requests = { quick: 100, full: 400 };
export const rounds = { quick: 2, full: 11 };

const file = createPaymentFile(150);
const customers = 10;

/** The page on which a customer with two accounts approves 150 payments. */
export async function prepare(bench) {
  const { createDatabase, createOurs, query, pki, client, serverKey, directoryUrl, poolSize } = bench;
  const ours = await createOurs('pages_ours');
  const floor = await createDatabase('pages_floor');
  await query(floor, floorPagesSchema);
  const bank = await Worker.start('serve.mjs', ['stub-bank']);
  const { port: bankPort } = await bank.ask({ type: 'start', settings: { pki, delay: 0 } }, 'ready');
  const bankUrl = `https://localhost:${bankPort}`;
  const environment = createEnvironment({ databaseUrl: ours, poolSize, pki, signingKey: serverKey, directoryUrl });
  const servers = [
    {
      name: 'ours',
      module: 'authorize-app',
      settings: {
        environment: { ...environment, BANK_URL: bankUrl, SIGN_INS_PER_ADDRESS: '0', SIGN_INS_PER_MINUTE: '0' },
      },
      createRequests: async (count, port) => {
        const consentIds = Array.from({ length: customers }, () => uuidv7());
        await storeConsents(
          bench,
          { name: 'ours', url: ours, version: '3.1', initiation: createInitiation(file), file },
          consentIds,
          'AwaitingAuthorisation',
        );
        const issuer = `${environment.BASE_URL}/open-banking/v3.0`;
        const pages = await Promise.all(
          consentIds.map((consentId) => openApprovalPage({ pki, client, issuer }, port, consentId)),
        );
        return toRequests(pages, count);
      },
    },
    {
      name: 'floor',
      module: 'floor-pages',
      settings: { pki, databaseUrl: floor, poolSize, bankUrl },
      createRequests: async (count) => {
        const pages = Array.from({ length: customers }, () => ({
          id: uuidv7(),
          value: randomBytes(32).toString('hex'),
        }));
        for (const { id, value } of pages)
          await query(floor, floorSessionSql, [createHash('sha256').update(value).digest(), id, file.body]);
        return toRequests(
          pages.map(({ value }) => ({ path: '/consent', cookie: `session=${value}` })),
          count,
        );
      },
    },
  ];
  return { servers, verify: () => bank.stop() };
}

const toRequests = (pages, count) => ({
  requests: Array.from({ length: count }, (_, index) => {
    const { path, cookie } = pages[index % pages.length];
    return { method: 'GET', path, headers: { cookie, accept: 'text/html' }, body: '' };
  }),
});

const floorSessionSql = `
  WITH session AS (INSERT INTO sessions (session_hash, consent_id, psu_id, expires_at) VALUES ($1, $2, 'psu', now() + interval '1 hour'))
  INSERT INTO payment_files (consent_id, content) VALUES ($2, $3)`;
