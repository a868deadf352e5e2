import type { Type } from '@nestjs/common';
import type { Answer, AnswerHeader } from '#libs/api-description';
import type { Fault } from '#libs/error-catalogue';
import type { ErrorBodyWriter } from '#libs/error-envelope';
import type { ResourceStatus } from '../../wire.js';

/** What the operations of an area have in common in the API document of a version. */
export interface AreaText {
  /** of the tokens that they take */
  readonly scope: string;
  /** by which they were issued; client_credentials unless it says otherwise */
  readonly grantType?: 'authorization_code';
  readonly errorBody: ErrorBodyWriter;
  readonly classes: { readonly error: Type };
  /** headers of every answer to a known client */
  readonly headers: readonly AnswerHeader[];
  /** what a signature is like; undefined where nothing is signed */
  readonly signature?: string;
}

/** What a version tells of itself in its API document, beside what all versions do. */
export interface DocumentText extends AreaText {
  /** as in Wire */
  readonly prefix: string;
  readonly stateName: (status: ResourceStatus) => string;
  readonly classes: AreaText['classes'] & {
    readonly consent: Type;
    readonly consentAnswer: Type;
    /** with its envelope, and bare */
    readonly file: readonly Type[];
    readonly fileAnswer: readonly Type[];
    readonly payment: Type;
    readonly paymentAnswer: Type;
    readonly detailsAnswer: Type;
    readonly reportAnswer: Type;
  };
  /** Data.Initiation of the examples, and the payments of its file */
  readonly example: { readonly initiation: { readonly FileType: string }; readonly payments: readonly object[] };
  readonly signature: string;
  /** answers of operations that write, beside those of all versions */
  readonly writeAnswers: Readonly<Record<number, Answer>>;
  /** faults of a body that only this version knows */
  readonly bodyFaults: readonly Fault[];
  /** whether the key that was used for another request is among the examples of 400 */
  readonly isReusedKeyMalformed: boolean;
}
