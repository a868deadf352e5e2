import type { Wire } from '../wire.js';

type Subject = Parameters<Wire['pathOf']>[0];

const paths: Readonly<Record<Subject, string>> = {
  consent: 'Data.ConsentId',
  consentStatus: 'Data.Status',
  initiation: 'Data.Initiation',
  fileHash: 'Data.Initiation.FileHash',
  numberOfPayments: 'Data.Initiation.NumberOfTransactions',
  controlSum: 'Data.Initiation.ControlSum',
};

/** @returns its path in the bodies of 3.1 */
export function pathOf(subject: Subject): string {
  return paths[subject];
}
