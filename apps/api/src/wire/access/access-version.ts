import type { Type } from '@nestjs/common';
import type { AccessConsent } from '#libs/access-consent';
import type { AnswerHeader } from '#libs/api-description';
import type { ErrorBodyWriter } from '#libs/error-envelope';
import type { AccessConsentStatus } from '#libs/obie-rules';
import type { WireClass } from '../form/members.js';

/** What makes one version of consents to access differ from the others, whatever their kind. */
export interface AccessVersion {
  readonly version: string;
  /** of the standard */
  readonly edition: string;
  /** what tells its API documents from those of other versions */
  readonly documentSuffix: { readonly name: string; readonly title: string };
  /** path below which its areas are, without slashes at the ends */
  readonly root: string;
  readonly errorBody: ErrorBodyWriter;
  readonly areLimitsTold: boolean;
  /** whether members that nobody knows are faults */
  readonly isClosed: boolean;
  readonly words: {
    readonly stateName: (status: AccessConsentStatus) => string;
    /** why a consent is where it is; undefined: the version does not say */
    readonly reasons?: (consent: AccessConsent) => readonly object[];
  };
  readonly classes: {
    readonly error: Type;
    /** the members of an answer that tell the state of a consent */
    readonly state: Type;
    /** the account that a request names */
    readonly debtorAccount: WireClass;
  };
  /** headers of every answer to a known client */
  readonly headers: readonly AnswerHeader[];
}
