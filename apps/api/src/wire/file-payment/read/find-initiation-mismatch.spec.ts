import { describe, expect, it } from '@jest/globals';
import { parse } from 'lossless-json';
import type { Initiation } from '#libs/consent';
import { parseJson } from '#libs/obie-rules';
import { findInitiationMismatch } from './find-initiation-mismatch.js';

const initiation = (changes: Record<string, unknown> = {}, controlSum = '200.00'): Initiation => {
  const members = {
    FileType: 'UK.OBIE.PaymentInitiation.3.1',
    FileHash: 'y5CjGT0eLLqW5NHXwfWndOzWdq0856jVoHwxv9V3ErA=',
    NumberOfTransactions: '2',
    RequestedExecutionDateTime: '2030-01-31T10:00:00+00:00',
    DebtorAccount: { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB29NWBK60161331926819' },
    SupplementaryData: { list: [1, { a: 'b' }] },
    ...changes,
  };
  return parse(JSON.stringify(members).replace(/}$/, `,"ControlSum":${controlSum}}`)) as unknown as Initiation;
};

describe('Initiation of the payment against that of the consent (Read/Write API 3.1.2, POST /file-payments)', () => {
  it.each([
    ['the same', initiation()],
    ['another spelling of the number', initiation({}, '200')],
    ['an exponent', initiation({}, '2e2')],
    ['the same instant in another zone', initiation({ RequestedExecutionDateTime: '2030-01-31T11:00:00+01:00' })],
    [
      'the bare name of the account scheme',
      initiation({ DebtorAccount: { Identification: 'GB29NWBK60161331926819', SchemeName: 'IBAN' } }),
    ],
  ])('agrees with %s', (_, payment) => {
    expect(findInitiationMismatch(initiation(), payment)).toBeUndefined();
  });

  it.each([
    ['Data.Initiation.ControlSum', initiation({}, '200.01')],
    ['Data.Initiation.FileHash', initiation({ FileHash: 'A5CjGT0eLLqW5NHXwfWndOzWdq0856jVoHwxv9V3ErA=' })],
    ['Data.Initiation.NumberOfTransactions', initiation({ NumberOfTransactions: '3' })],
    ['Data.Initiation.NumberOfTransactions', initiation({ NumberOfTransactions: undefined })],
    ['Data.Initiation.FileReference', initiation({ FileReference: 'added' })],
    ['Data.Initiation.DebtorAccount', initiation({ DebtorAccount: undefined })],
    [
      'Data.Initiation.DebtorAccount.Identification',
      initiation({ DebtorAccount: { SchemeName: 'UK.OBIE.IBAN', Identification: 'X' } }),
    ],
    ['Data.Initiation.RequestedExecutionDateTime', initiation({ RequestedExecutionDateTime: '2030-02-01T10:00:00Z' })],
    ['Data.Initiation.SupplementaryData.list[1].a', initiation({ SupplementaryData: { list: [1, { a: 'c' }] } })],
    ['Data.Initiation.SupplementaryData.list', initiation({ SupplementaryData: { list: [1] } })],
    ['Data.Initiation.DebtorAccount.SchemeName', initiation({ DebtorAccount: { SchemeName: 'UK.OBIE.BBAN' } })],
  ])('names %s', (path, payment) => {
    expect(findInitiationMismatch(initiation(), payment)).toBe(path);
  });

  it.each([
    ['RequestedExecutionDateTime', '2030-01-31T10:00:00Z', '2030-01-31T11:00:00+01:00'],
    ['SchemeName', 'IBAN', 'UK.OBIE.IBAN'],
  ])('compares %s in SupplementaryData like any other text', (name, agreed, sent) => {
    const [one, other] = [agreed, sent].map((text) => initiation({ SupplementaryData: { [name]: text } })) as [
      Initiation,
      Initiation,
    ];
    expect(findInitiationMismatch(one, other)).toBe(`Data.Initiation.SupplementaryData.${name}`);
  });

  // As text, because an object literal would lose `__proto__`.
  const withSupplement = (text: string) =>
    ({ ...initiation(), SupplementaryData: parseJson(Buffer.from(text)) }) as unknown as Initiation;

  it.each([
    ['{"a":1}', '{"a":1,"__proto__":{}}', '__proto__'],
    ['{"a":{"__proto__":{}}}', '{"a":{}}', 'a.__proto__'],
    ['{}', '{"toString":null}', 'toString'],
    ['{"a":-1}', '{"a":1}', 'a'],
  ])('tells SupplementaryData %s from %s', (agreed, sent, path) => {
    const mismatch = findInitiationMismatch(withSupplement(agreed), withSupplement(sent));
    expect(mismatch).toBe(`Data.Initiation.SupplementaryData.${path}`);
  });

  it('compares all numbers of SupplementaryData by value', () => {
    const agreed = withSupplement('{"__proto__":{"a":1},"below":-1.50,"great":1e400,"small":0.0000001}');
    const sent = withSupplement('{"small":1e-7,"great":10E399,"below":-1.5,"__proto__":{"a":1.0}}');
    expect(findInitiationMismatch(agreed, sent)).toBeUndefined();
  });
});
