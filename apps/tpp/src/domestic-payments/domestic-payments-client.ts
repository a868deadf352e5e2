import type { JsonObject } from '../json.js';
import { type PaymentConsent, PaymentsClient, type PaymentsClientOptions } from '../payments-client.js';

/** The members of a funds confirmation that this program reads (OBWriteFundsConfirmationResponse1). */
interface FundsAvailability {
  Data: { FundsAvailableResult: { FundsAvailable: boolean } };
}

/** The members of payment details that this program reads (OBWritePaymentDetailsResponse1). */
interface PaymentDetails {
  Data: {
    PaymentStatus: {
      Status: string;
      StatusUpdateDateTime: string;
      StatusDetail?: { StatusReason?: string; StatusReasonDescription?: string };
    }[];
  };
}

/** The domestic payments API of one version, as a TPP uses it. */
export class DomesticPaymentsClient extends PaymentsClient {
  constructor(options: PaymentsClientOptions) {
    super('domestic-payment', options);
  }

  /**
   * Stages a consent for one payment; it identifies no customer.
   * @param isRefundable asks for the account that pays, to send money back to
   */
  createConsent(
    accessToken: string,
    Initiation: JsonObject,
    isRefundable: boolean,
    idempotencyKey?: string,
  ): Promise<PaymentConsent> {
    const Data = { ...(isRefundable && { ReadRefundAccount: 'Yes' }), Initiation };
    const body = JSON.stringify({ Data, Risk: { PaymentContextCode: 'TransferToThirdParty' } });
    return this.post({ accessToken, path: '/domestic-payment-consents', body, idempotencyKey });
  }

  /**
   * @param accessToken of the customer's approval
   * @returns whether the account that pays has the money
   */
  async confirmFunds(accessToken: string, consentId: string): Promise<boolean> {
    const path = `/domestic-payment-consents/${consentId}/funds-confirmation`;
    const { Data } = await this.get<FundsAvailability>(accessToken, path);
    return Data.FundsAvailableResult.FundsAvailable;
  }

  readDetails(accessToken: string, paymentId: string): Promise<PaymentDetails> {
    return this.get(accessToken, `/domestic-payments/${paymentId}/payment-details`);
  }
}
