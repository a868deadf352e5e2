import { type ConsentStatus, parseStoredJson } from '#libs/obie-rules';
import type { DebtorAccount, FilePaymentConsentEntity } from './file-payment-consent.entity.js';
import type { Authorisation, Charge, Initiation, ScaSupportData } from './initiation.js';

/** A consent as the rest of the service sees it. */
export interface FilePaymentConsent {
  readonly consentId: string;
  readonly clientId: string;
  readonly status: ConsentStatus;
  readonly createdAt: Date;
  readonly statusUpdatedAt: Date;
  readonly expiresAt: Date;
  readonly cutOffAt?: Date;
  readonly initiation: Initiation;
  readonly authorisation?: Authorisation;
  readonly scaSupportData?: ScaSupportData;
  readonly charges: readonly Charge[];
  readonly psuId?: string;
  readonly debtorAccount?: DebtorAccount;
  readonly approvalsRequired?: number;
}

/** Reads the stored texts; they were written by this service and are taken at their word. */
export function toFilePaymentConsent(entity: FilePaymentConsentEntity): FilePaymentConsent {
  return {
    consentId: entity.consentId,
    clientId: entity.clientId,
    status: entity.status,
    createdAt: entity.createdAt,
    statusUpdatedAt: entity.statusUpdatedAt,
    expiresAt: entity.expiresAt,
    ...(entity.cutOffAt === null ? {} : { cutOffAt: entity.cutOffAt }),
    initiation: parseStoredJson(Buffer.from(entity.initiation)) as Initiation,
    ...(entity.authorisation === null ? {} : { authorisation: JSON.parse(entity.authorisation) as Authorisation }),
    ...(entity.scaSupportData === null ? {} : { scaSupportData: JSON.parse(entity.scaSupportData) as ScaSupportData }),
    charges: JSON.parse(entity.charges) as Charge[],
    ...(entity.psuId === null ? {} : { psuId: entity.psuId }),
    ...(entity.debtorAccount === null ? {} : { debtorAccount: entity.debtorAccount }),
    ...(entity.approvalsRequired === null ? {} : { approvalsRequired: entity.approvalsRequired }),
  };
}
