import { beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Members } from '../../support/a-consent-request.js';
import { documentedIn } from '../documentation/api-document.js';
import { bodies } from '../documentation/full-bodies.js';
import { almost, anyBody, fuzzSettings } from '../file-payments/fuzz.js';
import { dataOf } from '../file-payments/world.js';
import { type Approved, anInitiation, aRisk, consents, type DomesticWorld, payments } from './domestic-world.js';

/** No request for a single payment, whatever is in it, is answered in another way than the document of its version says. */
export function describeFuzz({ version, tpp }: DomesticWorld): void {
  const end = version === '3.1' ? '' : `-${version}`;
  const expectDocumented = documentedIn(`domestic-payments${end}`);
  const like = (operation: string) =>
    fc.oneof(anyBody, almost(bodies[version === '3.1' ? operation : `${operation} ${version}`] as object));

  describe(`any request at all of ${version}`, () => {
    let approved: Approved;
    beforeAll(async () => {
      approved = await tpp().approve(await tpp().stage());
    });

    it('is answered as documented if it is a consent, and accepted ones can be read', async () => {
      const property = fc.asyncProperty(like('CreateDomesticPaymentConsents'), async (sent) => {
        const response = await tpp().post(consents, sent);
        expectDocumented('CreateDomesticPaymentConsents', response);
        if (response.status !== 201) return;
        const read = await tpp().get(`${consents}/${String(dataOf(response)['ConsentId'])}`);
        expect(read.json()).toEqual(response.json());
      });
      await fc.assert(property, fuzzSettings(100));
    });

    it('is answered as documented if it is a payment, and leaves the consent as it is', async () => {
      const { accessToken, consentId } = approved;
      const ofConsent = almost({ Initiation: anInitiation(version), Risk: aRisk }).map((text) => {
        const { Initiation, Risk } = JSON.parse(text) as Members;
        return JSON.stringify({ Data: { ConsentId: consentId, Initiation }, Risk });
      });
      const answers: string[] = [];
      const property = fc.asyncProperty(fc.oneof(anyBody, ofConsent, ofConsent), async (sent) => {
        const response = await tpp().post(payments, sent, { accessToken });
        expectDocumented('CreateDomesticPayments', response);
        answers.push(response.text);
      });
      await fc.assert(property, fuzzSettings(100));
      const mismatch = version === '3.1' ? 'UK.OBIE.Resource.ConsentMismatch' : 'U008';
      expect(answers.filter((text) => text.includes(mismatch)).length).toBeGreaterThan(5);
      expect(await tpp().statusOf(consentId)).toBe(version === '3.1' ? 'Authorised' : 'AUTH');
    });
  });
}
