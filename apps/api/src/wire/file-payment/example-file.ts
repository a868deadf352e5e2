import { createHash } from 'node:crypto';

export const exampleConsentId = '01890a5d-ac96-774b-bcce-b302099a8057';
export const exampleFilePaymentId = '01890a60-11d2-7c41-9a55-6f0d2c1b7e90';
export const exampleTime = '2030-01-31T09:30:00+00:00';
export const examplePaymentIds = ['01890a5eac96774bbcceb302099a8001', '01890a5eac96774bbcceb302099a8002'] as const;
export const exampleControlSum = 2230.5;

/** @returns Data.Initiation for an example of two payments whose sum is {@link exampleControlSum} */
export function initiationOf(FileType: string, payments: readonly object[]) {
  const file = JSON.stringify({ File: { Data: { DomesticPayments: payments } } });
  return {
    FileType,
    // @cryptography SHA-256 | none | FileHash of the example in the API's description
    FileHash: createHash('sha256').update(file).digest('base64'),
    FileReference: 'PAYROLL-2030-01',
    NumberOfTransactions: '2',
    ControlSum: exampleControlSum,
    LocalInstrument: 'UK.OBIE.FPS',
  };
}
