import { type Conditions, type ConsentStatus, parseStoredJson } from '#libs/obie-rules';
import type { DebtorAccount, PaymentConsentEntity, RejectionReason } from './payment-consent.entity.js';
import type { Charge, Initiation } from './initiation.js';

/** A consent that pays, as the rest of the service sees it. `Sent`: what its kind sends as Data.Initiation. */
export interface PaymentConsent<Sent extends object = Initiation> {
  readonly consentId: string;
  readonly clientId: string;
  /** of the API in which it was made */
  readonly apiVersion: string;
  readonly status: ConsentStatus;
  /** why it is Rejected, where that is known */
  readonly statusReason?: RejectionReason;
  readonly createdAt: Date;
  readonly statusUpdatedAt: Date;
  readonly expiresAt: Date;
  readonly cutOffAt?: Date;
  readonly initiation: Sent;
  readonly conditions: Conditions;
  readonly risk?: object;
  readonly charges: readonly Charge[];
  readonly psuId?: string;
  readonly debtorAccount?: DebtorAccount;
  readonly approvalsRequired?: number;
}

/** Reads the stored texts. This service wrote them, so they are not validated again. */
export function toPaymentConsent<Sent extends object>(entity: PaymentConsentEntity): PaymentConsent<Sent> {
  return {
    consentId: entity.consentId,
    clientId: entity.clientId,
    apiVersion: entity.apiVersion,
    status: entity.status,
    ...(entity.statusReason === null ? {} : { statusReason: entity.statusReason }),
    createdAt: entity.createdAt,
    statusUpdatedAt: entity.statusUpdatedAt,
    expiresAt: entity.expiresAt,
    ...(entity.cutOffAt === null ? {} : { cutOffAt: entity.cutOffAt }),
    initiation: parseStoredJson(Buffer.from(entity.initiation)) as Sent,
    conditions: entity.conditions,
    ...(entity.risk === null ? {} : { risk: JSON.parse(entity.risk) as object }),
    charges: JSON.parse(entity.charges) as Charge[],
    ...(entity.psuId === null ? {} : { psuId: entity.psuId }),
    ...(entity.debtorAccount === null ? {} : { debtorAccount: entity.debtorAccount }),
    ...(entity.approvalsRequired === null ? {} : { approvalsRequired: entity.approvalsRequired }),
  };
}
