/** A call to the bank on behalf of one incoming request. */
export interface BankCall {
  /** x-fapi-interaction-id of the incoming request; passed on to the bank */
  readonly interactionId: string;
}

/** The bank's answer about a user name and password. */
export type PasswordVerification =
  | { readonly outcome: 'Verified'; readonly psuId: string; readonly displayName: string }
  | { readonly outcome: 'InvalidCredentials' }
  | { readonly outcome: 'Locked' };

/** The bank's answer about a one-time code. `acr` is the level that it asserts, e.g. urn:openbanking:psd2:sca. */
export type OneTimeCodeVerification =
  | { readonly outcome: 'Verified'; readonly authenticatedAt: Date; readonly acr: string }
  | { readonly outcome: 'InvalidCredentials' }
  | { readonly outcome: 'Locked' };

/**
 * Strong customer authentication, done by the bank in two steps (PSD2 RTS art. 4). The bank counts failures and locks;
 * this service never sees a stored credential and never repeats a call.
 */
export abstract class PsuAuthentication {
  /**
   * Checks the knowledge factor.
   * @returns the bank's own, stable id of the PSU, or why not
   * @throws BankUnavailableError, BankAnswerError
   */
  abstract verifyPassword(credentials: {
    username: string;
    password: string;
    call: BankCall;
  }): Promise<PasswordVerification>;

  /**
   * Checks the possession factor.
   * @param credentials psuId as {@link verifyPassword} gave it
   * @throws BankUnavailableError, BankAnswerError
   */
  abstract verifyOneTimeCode(credentials: {
    psuId: string;
    oneTimeCode: string;
    call: BankCall;
  }): Promise<OneTimeCodeVerification>;
}
