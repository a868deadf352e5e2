import type { Type } from '@nestjs/common';
import type { AnswerHeader } from '#libs/api-description';
import type { AccessConsent } from '#libs/access-consent';
import type { ErrorBodyWriter } from '#libs/error-envelope';
import type { AccessConsentStatus } from '#libs/obie-rules';

/** What makes one version of consents to access differ from the others. */
export interface AccessVersion {
  readonly version: string;
  readonly prefix: string;
  readonly errorBody: ErrorBodyWriter;
  readonly areLimitsTold: boolean;
  /** whether members that nobody knows are faults */
  readonly isClosed: boolean;
  readonly words: {
    readonly stateName: (status: AccessConsentStatus) => string;
    /** why a consent is where it is; undefined: the version does not say */
    readonly reasons?: (consent: AccessConsent) => readonly object[];
  };
  readonly classes: { readonly answer: Type; readonly error: Type };
  /** headers of every answer to a known client */
  readonly headers: readonly AnswerHeader[];
}
