import { type ReadWriteClientOptions, UnsignedClient } from './read-write-client.js';

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

/** The confirmation of funds API of one version, as a card issuer uses it. */
export class FundsConfirmationClient extends UnsignedClient<FundsConfirmationConsent> {
  constructor(options: ReadWriteClientOptions) {
    super('/funds-confirmation-consents', options);
  }

  /** @param accessToken of the client itself */
  createConsent(
    accessToken: string,
    data: { DebtorAccount: NamedAccount; ExpirationDateTime?: string },
  ): Promise<FundsConfirmationConsent> {
    return this.post(accessToken, this.consents, { Data: data });
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
    return this.post(accessToken, '/funds-confirmations', { Data });
  }
}
