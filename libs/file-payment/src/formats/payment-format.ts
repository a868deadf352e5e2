import type { JsonObject, MemberReader } from '../member-reader.js';
import type { KnownMembers } from './known-members.js';
import type { AccountProxy, PaymentDetails, PostalAddress } from '#libs/obie-rules';
import type { PaymentInstruction } from '#libs/payment-order';

/**
 * How the payments of a file are written, where formats differ. What formats share is in parse-payment-instruction.ts.
 */
export interface PaymentFormat {
  /** Data.Initiation.FileType of consents to such files */
  readonly fileType: string;
  /** of a whole file */
  readonly mostBytes: number;
  /** members and entries of a payment with every member; each array that the standard does not bound has one entry */
  readonly valuesOfPayment: number;
  /** most characters of the name of an account */
  readonly longestName: number;
  readonly isEndToEndIdentificationRequired: boolean;
  /** whether a payment may name its own day */
  readonly hasExecutionDate: boolean;
  readPostalAddress(item: MemberReader, name: string, value: unknown): PostalAddress | undefined;
  readRemittance(item: MemberReader, value: unknown): Remittance | undefined;
  /** absent: other members are ignored */
  readonly known?: KnownMembers;
  /** members that not every format has */
  readonly further?: FurtherMembers;
}

/** Remittance information for the payee. */
export type Remittance = Pick<PaymentInstruction, 'reference' | 'unstructured' | 'structuredRemittance'>;

/** What a consent states for its whole file. It is handed over with each payment. */
export interface WholeFile extends Pick<PaymentDetails, 'payeeAgent' | 'ultimatePayer'> {
  readonly remittance?: Remittance | undefined;
}

export interface FurtherMembers {
  /** Reads the further members of an account. */
  readAccount(reader: MemberReader, account: JsonObject): AccountProxy | undefined;
  readDetails(reader: MemberReader, item: JsonObject): PaymentDetails;
  /** Reads what Data.Initiation of the consent states for every payment. */
  readInitiation(reader: MemberReader, initiation: object): WholeFile;
}
