import { describe, expect, it } from '@jest/globals';
import { forms31 } from '../../v3.1/file-payment/file-payment-wire.js';
import { createConsentReader } from './read-consent-request.js';

const readConsentRequest = createConsentReader(forms31);
const now = new Date('2026-03-01T12:00:00Z');
const initiation = {
  FileType: 'UK.OBIE.PaymentInitiation.3.1',
  FileHash: 'y5CjGT0eLLqW5NHXwfWndOzWdq0856jVoHwxv9V3ErA=',
};
const terms = { fileType: initiation.FileType, fileHash: initiation.FileHash };
const scaSupportData = { AppliedAuthenticationApproach: 'SCA' };

describe('the body of POST /file-payment-consents as it is kept', () => {
  it('FP-007 has every member that the standard knows, SupplementaryData as it is', () => {
    const Initiation = {
      ...initiation,
      RemittanceInformation: { Reference: 'INV-1' },
      SupplementaryData: { empty: {}, nothing: null },
    };
    const Data = { Initiation, SCASupportData: scaSupportData };
    expect(readConsentRequest({ Data }, now)).toEqual({ consent: { initiation: Initiation, terms, scaSupportData } });
  });

  it.each([
    [{}, {}],
    [{ Purpose: 'unknown' }, { Purpose: 'unknown' }],
  ])('FP-179 leaves out objects of which nothing would be shown: %j', (RemittanceInformation, SCASupportData) => {
    const Data = { Initiation: { ...initiation, RemittanceInformation, SupplementaryData: {} }, SCASupportData };
    expect(readConsentRequest({ Data }, now)).toEqual({
      consent: { initiation: { ...initiation, SupplementaryData: {} }, terms },
    });
  });
});
