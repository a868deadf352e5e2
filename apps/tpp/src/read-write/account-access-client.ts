import { type ReadWriteClientOptions, UnsignedClient } from './read-write-client.js';

/** The members of an account access consent that this program reads (OBReadConsentResponse1). */
export interface AccountAccessConsent {
  Data: { ConsentId: string; Status: string; Permissions: string[] };
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

/** The account information API of one version, as a TPP uses it. */
export class AccountAccessClient extends UnsignedClient<AccountAccessConsent> {
  constructor(options: ReadWriteClientOptions) {
    super('/account-access-consents', options);
  }

  /** @param accessToken of the client itself */
  createConsent(
    accessToken: string,
    data: { Permissions: readonly string[]; ExpirationDateTime?: string },
  ): Promise<AccountAccessConsent> {
    return this.post(accessToken, this.consents, { Data: data, Risk: {} });
  }

  /** @param accessToken of the customer's approval */
  readAccounts(accessToken: string): Promise<Accounts> {
    return this.get(accessToken, '/accounts');
  }

  readAccount(accessToken: string, accountId: string): Promise<Accounts> {
    return this.get(accessToken, `/accounts/${encodeURIComponent(accountId)}`);
  }

  readBalances(accessToken: string, accountId: string): Promise<Balances> {
    return this.get(accessToken, `/accounts/${encodeURIComponent(accountId)}/balances`);
  }
}
