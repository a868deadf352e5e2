import { describe, expect, it } from '@jest/globals';
import { checkPaymentFile } from '#libs/file-payment';
import { parseJson, usualRules } from '#libs/obie-rules';
import { filePaymentWire31 } from '../../v3.1/file-payment/file-payment-wire.js';
import { domesticPaymentWire40 } from '../../v4.0/domestic-payment/domestic-payment-wire.js';
import { filePaymentWire40 } from '../../v4.0/file-payment/file-payment-wire.js';

const readConsentRequest = filePaymentWire31.read.consent;
const now = new Date('2026-03-01T12:00:00Z');
const bank = { ...usualRules, limits: { 'UK.OBIE.FPS': 100_000n } };
const initiation = {
  FileType: 'UK.OBIE.PaymentInitiation.3.1',
  FileHash: 'y5CjGT0eLLqW5NHXwfWndOzWdq0856jVoHwxv9V3ErA=',
};
const terms = { fileType: initiation.FileType, fileHash: initiation.FileHash };
const SCASupportData = { AppliedAuthenticationApproach: 'SCA' };

const account = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678', Name: 'A' };
const singlePayment = {
  InstructionIdentification: 'I',
  EndToEndIdentification: 'E',
  InstructedAmount: { Amount: '1.00', Currency: 'GBP' },
  CreditorAccount: account,
};

const bytesOf = (value: object) => Buffer.from(JSON.stringify(value));
const structured = (members: object) => ({ RemittanceInformation: { Structured: [members] } });

describe('the body of POST /file-payment-consents as it is kept', () => {
  it('FP-007 has every member that the standard knows, SupplementaryData as it is', () => {
    const Initiation = {
      ...initiation,
      RemittanceInformation: { Reference: 'INV-1' },
      SupplementaryData: { empty: {}, nothing: null },
    };
    const Data = { Initiation, SCASupportData };
    expect(readConsentRequest({ Data }, now, bank)).toEqual({
      consent: { initiation: Initiation, terms, conditions: { SCASupportData } },
    });
  });

  it.each([
    [{}, {}],
    [{ Purpose: 'unknown' }, { Purpose: 'unknown' }],
  ])('FP-179 omits objects without displayable members: %j', (RemittanceInformation, SCASupportData) => {
    const Data = { Initiation: { ...initiation, RemittanceInformation, SupplementaryData: {} }, SCASupportData };
    expect(readConsentRequest({ Data }, now, bank)).toEqual({
      consent: { initiation: { ...initiation, SupplementaryData: {} }, terms, conditions: {} },
    });
  });
});

describe('the dates of a consent of 4.0', () => {
  const sent = { RelatedDate: '2030-01-31T10:00', Date: '2030-01-31t10:00:00,5+0100' };
  const complete = { RelatedDate: '2030-01-31T10:00:00+00:00', Date: '2030-01-31T10:00:00.5+01:00' };
  const remittance = ({ RelatedDate }: typeof sent) =>
    structured({ ReferredDocumentInformation: [{ Number: '1', RelatedDate }] });
  const reporting = ({ Date }: typeof sent) => ({ RegulatoryReporting: [{ Details: [{ Date }] }] });
  const own = { SupplementaryData: sent };

  it('are kept as answers have them, however they were sent: of a file', () => {
    const Initiation = { ...initiation, FileType: 'UK.OBIE.PaymentInitiation.4.0', ...own };
    const body = parseJson(bytesOf({ Data: { Initiation: { ...Initiation, ...remittance(sent) } } }));
    const read = filePaymentWire40.read.consent(body as Record<string, unknown>, now, bank);
    expect(read).toMatchObject({ consent: { initiation: { ...Initiation, ...remittance(complete) } } });
  });

  it('are kept as answers have them, however they were sent: of a single payment', () => {
    const Initiation = { ...singlePayment, ...own };
    const members = { ...Initiation, ...remittance(sent), ...reporting(sent) };
    const body = parseJson(bytesOf({ Data: { Initiation: members }, Risk: {} }));
    const read = domesticPaymentWire40.read.consent(body as Record<string, unknown>, now, bank);
    const kept = { ...Initiation, ...remittance(complete), ...reporting(complete) };
    expect(read).toMatchObject({ consent: { initiation: kept } });
  });
});

const faultsOf = (members: string): unknown => {
  const text = JSON.stringify({ Data: { Initiation: initiation } }).replace('"}}}', `",${members}}}}`);
  const read = readConsentRequest(parseJson(Buffer.from(text)) as Record<string, unknown>, now, bank);
  return 'faults' in read ? read.faults : [];
};

describe('the sum of a consent (Data.Initiation.ControlSum)', () => {
  const two = '"NumberOfTransactions":"2"';
  const fps = '"LocalInstrument":"UK.OBIE.FPS"';

  it.each([`${two},${fps},"ControlSum":2.01`, `${fps},"ControlSum":150.01`])(
    'is refused if a payment must exceed the limit of its type: %s',
    (members) => {
      expect(faultsOf(members)).toEqual([
        expect.objectContaining({ code: 'Field.Invalid', path: 'Data.Initiation.ControlSum' }),
      ]);
    },
  );

  it.each([`${two},${fps},"ControlSum":2.00`, `${two},"ControlSum":2.01`, `${fps},"ControlSum":150.00`])(
    'is taken if none must: %s',
    (members) => expect(faultsOf(members)).toEqual([]),
  );
});

describe('an object that a consent of 4.0 and its file both have', () => {
  const fileType = 'UK.OBIE.PaymentInitiation.4.0';
  const own = { Own: 'x' };
  const proxy = { Identification: '1', Code: 'TELE' };

  it.each<[string, object, string[]]>([
    ['a party', { UltimateDebtor: { Name: 'P', ...own } }, []],
    ['the address of it', { UltimateDebtor: { PostalAddress: own } }, ['UltimateDebtor.PostalAddress.Own']],
    ['the agent', { CreditorAgent: own }, ['CreditorAgent.Own']],
    ['an account', { DebtorAccount: { ...account, ...own } }, ['DebtorAccount.Own']],
    ['its proxy', { DebtorAccount: { ...account, Proxy: { ...proxy, ...own } } }, []],
    ['what a payment is for', { RemittanceInformation: own }, []],
    ['its reference as in 3.1', { RemittanceInformation: { Reference: 'R' } }, ['RemittanceInformation.Reference']],
    ['an amount as text', structured({ ReferredDocumentAmount: '25.00' }), []],
    ['an amount as a whole number', structured({ ReferredDocumentAmount: 25 }), []],
    [
      'an amount that is neither',
      structured({ ReferredDocumentAmount: 25.5 }),
      ['RemittanceInformation.Structured[0].ReferredDocumentAmount'],
    ],
    ['a lower case LEI', { UltimateDebtor: { LEI: 'a'.repeat(18) + '00' } }, ['UltimateDebtor.LEI']],
  ])('has one rule: %s', (_, members, expected) => {
    const document = parseJson(bytesOf({ Data: { Initiation: { ...initiation, FileType: fileType, ...members } } }));
    const read = filePaymentWire40.read.consent(document as Record<string, unknown>, now, bank);
    const inConsent = 'faults' in read ? read.faults.map(({ path }) => path?.slice('Data.Initiation.'.length)) : [];
    expect(inConsent).toEqual(expected);

    const body = bytesOf({ Data: { DomesticPayments: [{ ...singlePayment, ...members }] } });
    const { faults } = checkPaymentFile({ body, fileType, now });
    expect(faults.map(({ path }) => path?.slice('Data.DomesticPayments[0].'.length))).toEqual(expected);
  });
});
