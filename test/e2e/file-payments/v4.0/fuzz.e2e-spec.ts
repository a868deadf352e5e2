import * as fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { theLongestPayment } from '../../../bench/longest-payments.mjs';
import { anInitiation, aPaymentRequest, type Members, toJson } from '../../../support/a-consent-request.js';
import { aPaymentFile } from '../../../support/a-payment-file.js';
import { documentedIn, filePaymentsIn40 } from '../../documentation/api-document.js';
import { almost, anyBody, anyRequest, fuzzSettings } from '../fuzz.js';
import { consents, unknownId } from '../world.js';
import { useWorld40 } from './world-40.js';

const world = useWorld40();

const expectDocumented = documentedIn(filePaymentsIn40);

const payment = theLongestPayment('4.0', { longest: 3 });
const { CreditorAgent, UltimateDebtor, RemittanceInformation, DebtorAccount } = payment;
const everyMember = {
  CreditorAgent,
  UltimateDebtor,
  RemittanceInformation,
  DebtorAccount,
  SupplementaryData: { a: 1 },
};
const file = aPaymentFile({ version: '4.0' });
const initiation = JSON.parse(toJson(anInitiation(file, everyMember))) as Members;
const consentDocument = {
  Data: {
    Initiation: initiation,
    Authorisation: { AuthorisationType: 'Any', CompletionDateTime: '2099-01-01T00:00:00Z' },
    SCASupportData: { RequestedSCAExemptionType: 'BillPayment', ReferencePaymentOrderId: 'x' },
  },
};
const fileDocument = { File: { Data: { DomesticPayments: [{ ...payment, SupplementaryData: { b: [] } }] } } };

/** No request, whatever is in it, is answered in another way than the document of 4.0 says. */
describe('any request at all of 4.0', () => {
  it.each(anyRequest)('is answered %s', async (_title, send) => {
    await send(world().tpp, expectDocumented);
  });

  it('is answered as documented if it is a consent, and accepted ones can be read', async () => {
    const { tpp } = world();
    let accepted = 0;
    const property = fc.asyncProperty(fc.oneof(anyBody, almost(consentDocument)), async (sent) => {
      const response = await tpp.post(consents, sent);
      expectDocumented('CreateFilePaymentConsents', response);
      if (response.status !== 201) return;
      accepted += 1;
      const { ConsentId } = response.json()['Data'] as { ConsentId: string };
      expectDocumented('GetFilePaymentConsentsConsentId', await tpp.get(`${consents}/${ConsentId}`));
    });
    await fc.assert(property, fuzzSettings(200));
    expect(accepted).toBeGreaterThan(1);
  });

  it('is answered as the document says when it is a file payment', async () => {
    const { tpp } = world();
    const document = JSON.parse(aPaymentRequest(unknownId, initiation)) as object;
    const property = fc.asyncProperty(fc.oneof(anyBody, almost(document)), async (sent) => {
      expectDocumented('CreateFilePayments', await tpp.post('/file-payments', sent));
    });
    await fc.assert(property, fuzzSettings(100));
  });

  it('is answered as the document says when it is a file with the right hash', async () => {
    const { tpp } = world();
    let accepted = 0;
    const property = fc.asyncProperty(fc.oneof(anyBody, almost(fileDocument), almost(fileDocument)), async (sent) => {
      const uploaded = aPaymentFile({ version: '4.0', document: sent.toString() });
      const members = { NumberOfTransactions: undefined, ControlSum: undefined, LocalInstrument: undefined };
      const consentId = await tpp.stageConsent(uploaded, members);
      const response = await tpp.upload(consentId, uploaded);
      expectDocumented('CreateFilePaymentConsentsConsentIdFile', response);
      if (response.status !== 200) return;
      accepted += 1;
      // As it was uploaded, with what the schema leaves open.
      expect((await tpp.get(`${consents}/${consentId}/file`)).status).toBe(200);
    });
    await fc.assert(property, fuzzSettings(200));
    expect(accepted).toBeGreaterThan(2);
  });
});
