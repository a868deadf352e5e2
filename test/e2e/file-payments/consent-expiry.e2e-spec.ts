import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp } from '../../support/a-tpp.js';
import { expectEventually, expectObError } from '../../support/expectations.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { CheckedTpp } from './checked-tpp.js';
import { consents, dataOf } from './world.js';

describe('CONSENT_EXPIRY_SECONDS', () => {
  let sandbox: TestSandbox;
  let tpp: CheckedTpp;

  beforeAll(async () => {
    sandbox = await startTestSandbox({ environment: { HOUSEKEEPING_SECONDS: '1' } });
    tpp = new CheckedTpp(await aTpp(sandbox));
  });

  afterAll(async () => {
    tpp?.close();
    await sandbox?.stop();
  });

  it('ends consents without progress in time, whatever they wait for, and no others', async () => {
    const [awaitingUpload, awaitingAuthorisation] = [await tpp.stageConsent(), await tpp.stageFile()];
    const [authorised, consumed] = [await tpp.authorise(), await tpp.authorise()];
    expect((await tpp.pay(consumed)).status).toBe(201);
    const ids = [awaitingUpload, awaitingAuthorisation, authorised.consentId, consumed.consentId];
    const { rows } = await sandbox.database.query<{ seconds: number }>(
      'SELECT extract(epoch FROM expires_at - status_updated_at)::float AS seconds FROM payment_consents WHERE consent_id = $1',
      [awaitingUpload],
    );
    // A day, unless the cut-off of its scheme comes before.
    expect(rows[0]?.seconds).toBeLessThanOrEqual(86_400);
    await sandbox.database.query(
      `UPDATE payment_consents SET expires_at = now() - interval '1 s', created_at = created_at - interval '9 s',
         status_updated_at = created_at - interval '9 s' WHERE consent_id = ANY ($1)`,
      [ids],
    );
    const late = await tpp.upload(awaitingUpload, aPaymentFile());
    expectObError(late, 400, 'Resource.InvalidConsentStatus', 'Data.Status');
    expectObError(await tpp.pay(authorised), 400, 'Resource.InvalidConsentStatus', 'Data.Status');
    const states = async () => (await Promise.all(ids.map((id) => tpp.consentStatus(id)))).join();
    await expectEventually(states, 'Rejected,Rejected,Rejected,Consumed');
    const { CreationDateTime, StatusUpdateDateTime } = dataOf(await tpp.get(`${consents}/${awaitingUpload}`));
    expect(Date.parse(String(StatusUpdateDateTime))).toBeGreaterThan(Date.parse(String(CreationDateTime)));
  });
});
