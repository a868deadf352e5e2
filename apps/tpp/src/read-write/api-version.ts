import { JourneyError, UsageError } from '../journey-error.js';
import type { Purpose } from '../purpose.js';

/** Versions of the Read/Write API, as in its paths. */
export type ApiVersion = '3.1' | '4.0';

/** Names of a version that a TPP reads. */
export interface VersionWords {
  readonly fileType: string;
  readonly consent: Readonly<Record<'AwaitingUpload' | 'AwaitingAuthorisation' | 'Authorised' | 'Consumed', string>>;
  /** state of a file payment that the bank has processed */
  readonly completed: string;
  /** state of a payment whose payee has the money */
  readonly credited: string;
  /** states in which a payment of the report is not made */
  readonly notMade: readonly string[];
  /** states of a file payment, and of a single one, without any success */
  readonly failed: readonly string[];
  /** states that are not final: of a file payment, of a payment in it and of a single one */
  readonly open: readonly string[];
  /** state of the approvals while one is missing */
  readonly awaitingFurther: string;
}

export const versionWords: Readonly<Record<ApiVersion, VersionWords>> = {
  '3.1': {
    fileType: 'UK.OBIE.PaymentInitiation.3.1',
    consent: {
      AwaitingUpload: 'AwaitingUpload',
      AwaitingAuthorisation: 'AwaitingAuthorisation',
      Authorised: 'Authorised',
      Consumed: 'Consumed',
    },
    completed: 'InitiationCompleted',
    credited: 'AcceptedCreditSettlementCompleted',
    notMade: ['Pending', 'Rejected'],
    failed: ['InitiationFailed', 'Rejected'],
    open: ['InitiationPending', 'Pending', 'AcceptedSettlementInProcess'],
    awaitingFurther: 'AwaitingFurtherAuthorisation',
  },
  '4.0': {
    fileType: 'UK.OBIE.PaymentInitiation.4.0',
    consent: { AwaitingUpload: 'AWUP', AwaitingAuthorisation: 'AWAU', Authorised: 'AUTH', Consumed: 'COND' },
    completed: 'INCO',
    credited: 'ACCC',
    notMade: ['PDNG', 'RJCT'],
    failed: ['INFA', 'RJCT'],
    open: ['RCVD', 'PATC', 'PDNG', 'ACSP'],
    awaitingFurther: 'AWAF',
  },
};

/** @throws UsageError for a version that this program does not speak */
export function parseApiVersion(text: string): ApiVersion {
  if (text === '3.1' || text === '4.0') return text;
  throw new UsageError(`--version must be 3.1 or 4.0, not ${text}`);
}

/**
 * @param served versions that the sandbox serves
 * @returns the version to speak where none is named
 */
export function defaultVersion(served: readonly ApiVersion[]): ApiVersion {
  return served.includes('3.1') ? '3.1' : (served[0] ?? '3.1');
}

/**
 * @param served versions that the sandbox serves
 * @throws JourneyError for a version that the sandbox does not serve
 */
export function assertServed(version: ApiVersion, served: readonly ApiVersion[]): void {
  if (served.includes(version)) return;
  throw new JourneyError(
    `the sandbox serves ${served.join(' and ')}, not ${version}: start it with READ_WRITE_VERSIONS=3.1,4.0`,
  );
}

const areas: Readonly<Record<Purpose, string>> = { payments: 'pisp', accounts: 'aisp', fundsconfirmations: 'cbpii' };

/** @returns the address of an API on the host of the discovery document, by the scope of its tokens */
export function addressOf(scope: Purpose, discoveryUri: string, version: ApiVersion): string {
  return `${new URL(discoveryUri).origin}/open-banking/v${version}/${areas[scope]}`;
}

/** @returns the address of an API in this version, from that in 3.1 */
export function addressOfVersion(address: string, version: ApiVersion): string {
  return address.replace('/open-banking/v3.1/', `/open-banking/v${version}/`);
}
