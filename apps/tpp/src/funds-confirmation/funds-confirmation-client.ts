import { ReadWriteClient } from '../read-write-client.js';

/** An account as a TPP names it (OBCashAccount). */
export interface NamedAccount {
  readonly SchemeName: string;
  readonly Identification: string;
}

/** The members of a funds confirmation consent that this program reads (OBFundsConfirmationConsentResponse1). */
export interface FundsConfirmationConsent {
  Data: { ConsentId: string; Status: string; DebtorAccount: NamedAccount };
}

/** The members of a confirmation that this program reads (OBFundsConfirmationResponse1). */
export interface FundsConfirmation {
  Data: { FundsConfirmationId: string; FundsAvailable: boolean };
}

/** The confirmation of funds API of one version, as a card issuer uses it. Nothing in it is signed. */
export class FundsConfirmationClient extends ReadWriteClient {
  /** @param accessToken of the client itself */
  createConsent(
    accessToken: string,
    data: { DebtorAccount: NamedAccount; ExpirationDateTime?: string },
  ): Promise<FundsConfirmationConsent> {
    return this.postUnsigned(accessToken, '/funds-confirmation-consents', { Data: data });
  }

  readConsent(accessToken: string, consentId: string): Promise<FundsConfirmationConsent> {
    return this.get(accessToken, `/funds-confirmation-consents/${consentId}`);
  }

  /** Ends the consent; the customer's tokens end with it. */
  deleteConsent(accessToken: string, consentId: string): Promise<void> {
    return this.delete(accessToken, `/funds-confirmation-consents/${consentId}`);
  }

  /**
   * @param accessToken of the customer's approval
   * @param question.amount in GBP
   */
  ask(
    accessToken: string,
    { consentId, amount, reference }: { consentId: string; amount: string; reference: string },
  ): Promise<FundsConfirmation> {
    const InstructedAmount = { Amount: amount, Currency: 'GBP' };
    const Data = { ConsentId: consentId, Reference: reference, InstructedAmount };
    return this.postUnsigned(accessToken, '/funds-confirmations', { Data });
  }
}
