import { parseJsonObject } from '../json.js';
import { UnsignedApi } from '../unsigned-api.js';

/** An account as a TPP names it (OBCashAccount). */
export interface NamedAccount {
  readonly SchemeName: string;
  readonly Identification: string;
  readonly Name?: string;
}

/** The members of a funds confirmation consent that this program reads (OBFundsConfirmationConsentResponse1). */
export interface FundsConfirmationConsent {
  Data: { ConsentId: string; Status: string; DebtorAccount: NamedAccount; ExpirationDateTime?: string };
}

/** The members of a confirmation that this program reads (OBFundsConfirmationResponse1). */
export interface FundsConfirmation {
  Data: { FundsConfirmationId: string; FundsAvailable: boolean };
}

/** The confirmation of funds API as a card issuer uses it, in one version of it. Nothing in it is signed. */
export class FundsConfirmationClient extends UnsignedApi {
  /** @param accessToken of the client itself */
  async createConsent(
    accessToken: string,
    data: { DebtorAccount: NamedAccount; ExpirationDateTime?: string },
  ): Promise<FundsConfirmationConsent> {
    const body = JSON.stringify({ Data: data });
    return parseJsonObject(
      await this.send('/funds-confirmation-consents', { method: 'POST', accessToken, body, status: 201 }),
    );
  }

  async readConsent(accessToken: string, consentId: string): Promise<FundsConfirmationConsent> {
    return parseJsonObject(
      await this.send(`/funds-confirmation-consents/${consentId}`, { method: 'GET', accessToken }),
    );
  }

  /** Ends the consent; the customer's tokens end with it. */
  async deleteConsent(accessToken: string, consentId: string): Promise<void> {
    await this.send(`/funds-confirmation-consents/${consentId}`, { method: 'DELETE', accessToken, status: 204 });
  }

  /**
   * @param accessToken of the customer's approval
   * @param question.amount in GBP
   */
  async ask(
    accessToken: string,
    { consentId, amount, reference }: { consentId: string; amount: string; reference: string },
  ): Promise<FundsConfirmation> {
    const InstructedAmount = { Amount: amount, Currency: 'GBP' };
    const body = JSON.stringify({ Data: { ConsentId: consentId, Reference: reference, InstructedAmount } });
    return parseJsonObject(await this.send('/funds-confirmations', { method: 'POST', accessToken, body, status: 201 }));
  }
}
