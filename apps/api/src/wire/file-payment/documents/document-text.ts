import type { Type } from '@nestjs/common';
import type { Answer, AnswerHeader } from '#libs/api-description';
import type { Fault } from '#libs/error-catalogue';
import type { ErrorBodyWriter } from '#libs/error-envelope';
import type { ResourceStatus } from '../../wire.js';

/** What the operations of an area share in the API document of a version. */
export interface AreaText {
  /** of the accepted tokens */
  readonly scope: string;
  /** of the accepted tokens; default: client_credentials */
  readonly grantType?: 'authorization_code';
  readonly errorBody: ErrorBodyWriter;
  readonly classes: { readonly error: Type };
  /** headers of every answer to a known client */
  readonly headers: readonly AnswerHeader[];
  /** the form of a signature; undefined if nothing is signed */
  readonly signature?: string;
}

/** What a version adds to the API document of a kind that pays. */
export interface PaymentText extends AreaText {
  /** as in Wire */
  readonly prefix: string;
  readonly stateName: (status: ResourceStatus) => string;
  readonly classes: AreaText['classes'] & {
    readonly consent: Type;
    readonly consentAnswer: Type;
    readonly payment: Type;
    readonly paymentAnswer: Type;
    readonly detailsAnswer: Type;
  };
  readonly signature: string;
  /**
   * @param there the message if the resource already exists
   * @returns additional answers of operations that write
   */
  readonly writeAnswers: (there?: string) => Readonly<Record<number, Answer>>;
  /** faults of a body that only this version has */
  readonly bodyFaults: readonly Fault[];
  /** whether the examples of 400 include the idempotency key used for another request */
  readonly isReusedKeyMalformed: boolean;
}

/** As above, for file payments. */
export interface DocumentText extends PaymentText {
  readonly classes: PaymentText['classes'] & {
    /** with its envelope, and bare */
    readonly file: readonly Type[];
    readonly fileAnswer: readonly Type[];
    readonly reportAnswer: Type;
  };
  /** Data.Initiation of the examples, and the payments of its file */
  readonly example: { readonly initiation: { readonly FileType: string }; readonly payments: readonly object[] };
}
