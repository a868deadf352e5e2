import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anInitiation, aPaymentRequest } from '../../support/a-consent-request.js';
import { TestTpp } from '../../support/a-tpp.js';
import type { TestResponse } from '../../support/https-request.js';
import type { FapiClient } from '../../support/a-client.js';
import { FapiWorld } from '../authorization/fapi-world.js';
import { alice } from '../../support/page-browser.js';
import { FundsClient, consents as fundsConsents } from '../funds-confirmation/funds-client.js';
import { AccessClient, consents as accessConsents, errorsOf, versions, type Version } from './access-client.js';

const world = new FapiWorld();
const fileConsents = '/file-payment-consents';
let client: FapiClient;

beforeAll(async () => {
  await world.start();
  client = await world.client({ method: 'private_key_jwt', name: 'Kinds' });
});
afterAll(() => world.stop());

/** The client, in one version of every kind. */
async function everyKind(version: Version) {
  return {
    files: new TestTpp({ ...(await world.asTpp(client)), version }),
    access: await AccessClient.of(client, version),
    funds: await FundsClient.of(client, version, 'fundsconfirmations'),
  };
}

/** Everything that a client can do with the id of a file payment consent. */
const withFileConsent = (tpp: TestTpp, consentId: string): Promise<TestResponse>[] => [
  tpp.get(`${fileConsents}/${consentId}`),
  tpp.get(`${fileConsents}/${consentId}/file`),
  tpp.upload(consentId, tpp.file()),
  tpp.post('/file-payments', aPaymentRequest(consentId, anInitiation(tpp.file()))),
];
const withAccess = (own: AccessClient, path: string): Promise<TestResponse>[] => [
  own.send('GET', path),
  own.send('DELETE', path),
];

const refusals = async (answers: Promise<TestResponse>[]) =>
  (await Promise.all(answers)).map((answer) => [answer.status, answer.text === '' ? [] : errorsOf(answer)]);

describe.each(versions)(
  'the id of a consent of $version at the operations of another kind',
  ({ version, awaiting }) => {
    const notFound = version === '3.1' ? 'UK.OBIE.Resource.NotFound' : 'U011';
    const nothing = [400, [`${notFound} ConsentId`]];
    const nothingInBody = [400, [`${notFound} Data.ConsentId`]];

    it('is unknown there, and nothing changes', async () => {
      const { files, access, funds } = await everyKind(version);
      const ids = {
        file: await files.stageConsent(),
        access: await access.stage(),
        funds: await funds.stage(),
      };
      const before = await files.consentStatus(ids.file);
      for (const consentId of [ids.access, ids.funds]) {
        expect(await refusals(withFileConsent(files, consentId))).toEqual([nothing, nothing, nothing, nothingInBody]);
      }
      for (const consentId of [ids.file, ids.funds]) {
        expect(await refusals(withAccess(access, `${accessConsents}/${consentId}`))).toEqual([nothing, nothing]);
      }
      for (const consentId of [ids.file, ids.access]) {
        expect(await refusals(withAccess(funds, `${fundsConsents}/${consentId}`))).toEqual([nothing, nothing]);
      }
      expect(await files.consentStatus(ids.file)).toBe(before);
      expect([await access.status(ids.access), await funds.status(ids.funds)]).toEqual([awaiting, awaiting]);
      files.close();
    });

    it('is unknown at POST /funds-confirmations', async () => {
      const { files, access, funds } = await everyKind(version);
      const { access_token: token } = await funds.agree(await funds.stage(), alice);
      for (const ConsentId of [await files.stageConsent(), await access.stage()]) {
        expect(await refusals([funds.ask(token, { ConsentId })])).toEqual([nothingInBody]);
      }
      files.close();
    });
  },
);
