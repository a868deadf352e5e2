import { parseJsonObject } from '../json.js';
import { UnsignedApi } from '../unsigned-api.js';

/** The members of an account access consent that this program reads (OBReadConsentResponse1). */
export interface AccountAccessConsent {
  Data: { ConsentId: string; Status: string; Permissions: string[]; ExpirationDateTime?: string };
}

/** The members of accounts that this program reads (OBReadAccount6). Each version names the types differently. */
export interface Accounts {
  Data: {
    Account?: {
      AccountId: string;
      Currency?: string;
      Account?: { SchemeName: string; Identification: string; Name?: string }[];
    }[];
  };
}

/** The members of balances that this program reads (OBReadBalance1). */
export interface Balances {
  Data: {
    Balance: {
      AccountId: string;
      CreditDebitIndicator: string;
      Type: string;
      Amount: { Amount: string; Currency: string };
    }[];
  };
}

/** The account information API as a TPP uses it, in one version of it. Nothing in it is signed. */
export class AccountAccessClient extends UnsignedApi {
  /** @param accessToken of the client itself */
  async createConsent(
    accessToken: string,
    data: { Permissions: readonly string[]; ExpirationDateTime?: string },
  ): Promise<AccountAccessConsent> {
    const body = JSON.stringify({ Data: data, Risk: {} });
    return parseJsonObject(
      await this.send('/account-access-consents', { method: 'POST', accessToken, body, status: 201 }),
    );
  }

  async readConsent(accessToken: string, consentId: string): Promise<AccountAccessConsent> {
    return parseJsonObject(await this.send(`/account-access-consents/${consentId}`, { method: 'GET', accessToken }));
  }

  /** Ends the access and the customer's tokens. */
  async deleteConsent(accessToken: string, consentId: string): Promise<void> {
    await this.send(`/account-access-consents/${consentId}`, { method: 'DELETE', accessToken, status: 204 });
  }

  /** @param accessToken of the customer's approval */
  async readAccounts(accessToken: string): Promise<Accounts> {
    return parseJsonObject(await this.send('/accounts', { method: 'GET', accessToken }));
  }

  async readAccount(accessToken: string, accountId: string): Promise<Accounts> {
    return parseJsonObject(
      await this.send(`/accounts/${encodeURIComponent(accountId)}`, { method: 'GET', accessToken }),
    );
  }

  async readBalances(accessToken: string, accountId: string): Promise<Balances> {
    return parseJsonObject(
      await this.send(`/accounts/${encodeURIComponent(accountId)}/balances`, { method: 'GET', accessToken }),
    );
  }
}
