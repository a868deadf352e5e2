import type { AccountIdentification } from './payment-accounts.js';
import type { BankCall, OneTimeCodeVerification } from './psu-authentication.js';

/** Who asks, as the pages show it. */
export interface ChallengeTpp {
  readonly clientName: string;
  readonly organisationName: string;
  readonly organisationId: string;
  /** in the register of its competent authority, e.g. PSDGB-FCA-123456; undefined: the directory does not say */
  readonly registerNumber?: string;
}

interface AnyBinding {
  readonly psuId: string;
  /** x-fapi-interaction-id of the request that started the challenge */
  readonly interactionId: string;
}

/** A file of payments: the total of the batch and the specified payees (SCA-RTS art. 5(3)(b)). */
export interface PaymentBinding extends AnyBinding {
  readonly purpose: 'Payment';
  /** the ConsentId */
  readonly fileId: string;
  /** decimal text */
  readonly total: string;
  /** ISO 4217 */
  readonly currency: string;
  readonly numberOfPayments: number;
  /** SHA-256 over all payees and amounts, base64url */
  readonly payeesHash: string;
  readonly debtorAccount: AccountIdentification;
  readonly tpp: ChallengeTpp;
}

/** Access without a payment. */
export interface AccessBinding extends AnyBinding {
  readonly purpose: 'Access';
  /** what the TPP may ask for */
  readonly data: readonly string[];
  /** how long it may come back without the PSU; undefined: not at all */
  readonly lastsSeconds?: number;
  /** of which accounts; undefined where the PSU is not asked to choose */
  readonly accounts?: readonly AccountIdentification[];
  /** when it ends, ISO 8601; undefined: when it is withdrawn, or as lastsSeconds says */
  readonly endsAt?: string;
  readonly tpp: ChallengeTpp;
}

/** The second factor of a sign-in, where nothing is decided yet. */
export interface SignInBinding extends AnyBinding {
  readonly purpose: 'SignIn';
  /** undefined where the PSU came by themselves */
  readonly tpp?: ChallengeTpp;
}

/** What a challenge is for: it is good for exactly these values. */
export type ChallengeBinding = PaymentBinding | AccessBinding | SignInBinding;

/** How the bank asks the PSU. */
export interface Challenge {
  readonly challengeId: string;
  readonly method: 'Code' | 'Push' | 'CodeOrPush';
  /** where a code comes from; undefined where the bank does not say */
  readonly codeBy?: 'TextMessage' | 'Device';
  readonly expiresAt: Date;
}

/** 'NotOffered': the bank has no challenges, so nothing can be approved. */
export type ChallengeStart =
  | { readonly outcome: 'Started'; readonly challenge: Challenge }
  | { readonly outcome: 'Locked' }
  | { readonly outcome: 'NotOffered' };

/** Where a challenge is. 'Used': it has served its decision, was made invalid, or never was. */
export type ChallengeStatus = 'Pending' | 'Approved' | 'Refused' | 'Expired' | 'Used';

/** As {@link OneTimeCodeVerification}. 'Over': this challenge will never be good again, or is being used by another call. */
export type ChallengeVerification = OneTimeCodeVerification | { readonly outcome: 'Over' };

/**
 * Authentication linked to what is decided (SCA-RTS art. 5): the bank asks the PSU for one decision, and takes the answer for it alone. One
 * challenge, one decision.
 */
export abstract class PsuChallenges {
  /**
   * Asks the PSU. Never repeated by itself: the PSU would be asked twice.
   * @throws BankUnavailableError, BankAnswerError
   */
  abstract start(request: { binding: ChallengeBinding; call: BankCall }): Promise<ChallengeStart>;

  /**
   * What the PSU has done in the bank's app.
   * @throws BankUnavailableError, BankAnswerError
   */
  abstract findStatus(query: { challengeId: string; call: BankCall }): Promise<ChallengeStatus>;

  /**
   * Uses the challenge up. Never repeated by itself: a wrong code would count twice.
   * @param request `oneTimeCode` undefined: the PSU approved in the bank's app; `binding` as at the start
   * @throws BankUnavailableError, BankAnswerError
   */
  abstract verify(request: {
    challengeId: string;
    oneTimeCode?: string;
    binding: ChallengeBinding;
    call: BankCall;
  }): Promise<ChallengeVerification>;
}
