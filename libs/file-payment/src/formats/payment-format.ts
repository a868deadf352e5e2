import type { JsonObject, MemberReader } from '../member-reader.js';
import type { KnownMembers } from './known-members.js';
import type { AccountProxy, PaymentDetails, PostalAddress } from '#libs/obie-rules';
import type { PaymentInstruction } from '#libs/payment-order';

/**
 * How the payments of a file are written: whatever differs between the formats. What they share is said in
 * parse-payment-instruction.ts.
 */
export interface PaymentFormat {
  /** Data.Initiation.FileType of the consents whose files are written so */
  readonly fileType: string;
  /** of a whole file */
  readonly mostBytes: number;
  /** members and entries of a payment that says everything: each array without a bound in the standard has one entry */
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
  /** what this format has beside the members of every format */
  readonly further?: FurtherMembers;
}

/** Remittance information for the payee. */
export type Remittance = Pick<PaymentInstruction, 'reference' | 'unstructured' | 'structuredRemittance'>;

/** What a consent states for its whole file; each payment is handed over with it. */
export interface WholeFile extends Pick<PaymentDetails, 'payeeAgent' | 'ultimatePayer'> {
  readonly remittance?: Remittance | undefined;
}

export interface FurtherMembers {
  /** Reads what an account has beside those members that it has in every format. */
  readAccount(reader: MemberReader, account: JsonObject): AccountProxy | undefined;
  readDetails(reader: MemberReader, item: JsonObject): PaymentDetails;
  /** Reads what Data.Initiation of the consent states for every payment. */
  readInitiation(reader: MemberReader, initiation: object): WholeFile;
}
