import { randomUUID } from 'node:crypto';
import type { HttpsResponse } from '../https-client.js';
import { parseJsonObject, type JsonObject } from '../json.js';
import type { ProviderKeys } from '../oauth/provider.js';
import type { PaymentKind } from '../purpose.js';
import type { TppCredentials } from '../tpp-credentials.js';
import { versionWords } from './api-version.js';
import { createDetachedJws, verifyDetachedJws } from './detached-jws.js';
import type { PaymentFile } from './payment-file.js';
import { ReadWriteClient, type ReadWriteClientOptions } from './read-write-client.js';

/**
 * The members of a payment consent that this program reads (OBWriteFileConsentResponse3,
 * OBWriteDomesticConsentResponse5).
 */
export interface PaymentConsent {
  Data: { ConsentId: string; Status: string; Initiation: JsonObject };
  /** of a single payment */
  Risk?: JsonObject;
}

/** The members of a payment that this program reads (OBWriteFileResponse2, OBWriteDomesticResponse5). */
export interface Payment {
  Data: {
    FilePaymentId?: string;
    DomesticPaymentId?: string;
    ConsentId: string;
    Status: string;
    /** of a single payment, if the consent asked for it */
    Refund?: { Account: { SchemeName: string; Identification: string; Name: string } };
    /** if several people must approve */
    MultiAuthorisation?: { Status: string };
  };
}

/** @returns the id of a payment of any kind */
export const idOf = ({ Data }: Payment): string => Data.FilePaymentId ?? Data.DomesticPaymentId ?? '';

interface OutcomeAtScheme {
  Status: string;
  StatusDetail?: { StatusReason?: string; StatusReasonDescription?: string };
}

/** The members of payment details that this program reads (OBWritePaymentDetailsResponse1). */
interface PaymentDetails {
  Data: { PaymentStatus: (OutcomeAtScheme & { StatusUpdateDateTime: string })[] };
}

/** The members of the report file that this program reads. */
export interface PaymentOutcome extends OutcomeAtScheme {
  PaymentId: string;
  /** as the file has them; absent once the bank's retention time is over */
  InstructionIdentification?: string;
  EndToEndIdentification?: string;
}

export interface ReportFile {
  Data: { Status: string; DomesticPayments: PaymentOutcome[] };
}

/** What is sent, and signed, with a POST. */
interface Post {
  accessToken: string;
  path: string;
  body: string | Buffer;
  /** of an earlier attempt whose answer was lost; absent: a new one */
  idempotencyKey?: string | undefined;
}

/** What a client of a payments API needs. */
export interface PaymentsClientOptions extends ReadWriteClientOptions {
  credentials: TppCredentials;
  /** of the bank */
  keys: ProviderKeys;
}

/**
 * The payments API of one kind and version, as a TPP uses it. Signs every POST, and verifies the signature of every
 * answer with a body.
 */
export class PaymentsClient extends ReadWriteClient<PaymentConsent, PaymentsClientOptions> {
  constructor(
    readonly kind: PaymentKind,
    options: PaymentsClientOptions,
  ) {
    super(`/${kind}-consents`, options);
  }

  /**
   * Stages a consent for a file; it identifies no customer.
   * @param members of the initiation that differ from FPS with a reference
   */
  createFileConsent(
    accessToken: string,
    file: PaymentFile,
    members: Readonly<Record<string, unknown>> = {},
    idempotencyKey?: string,
  ): Promise<PaymentConsent> {
    // ControlSum is a JSON number; it is inserted as text, to avoid binary fractions.
    const initiation = JSON.stringify({
      FileType: versionWords[this.version].fileType,
      FileHash: file.fileHash,
      FileReference: 'DEMO-FILE',
      NumberOfTransactions: file.numberOfTransactions,
      LocalInstrument: 'UK.OBIE.FPS',
      ...members,
    });
    const body = `{"Data":{"Initiation":${initiation.slice(0, -1)},"ControlSum":${file.controlSum}}}}`;
    return this.#post({ accessToken, path: this.consents, body, idempotencyKey });
  }

  /** Uploads the file; the answer is empty. */
  async uploadFile(accessToken: string, consentId: string, file: PaymentFile, idempotencyKey?: string): Promise<void> {
    const path = `${this.consents}/${consentId}/file`;
    await this.#postSigned({ accessToken, path, body: file.body, idempotencyKey }, 200);
  }

  /**
   * Stages a consent for one payment; it identifies no customer.
   * @param isRefundable asks for the account that pays, to send money back to
   */
  createSingleConsent(
    accessToken: string,
    Initiation: JsonObject,
    isRefundable: boolean,
    idempotencyKey?: string,
  ): Promise<PaymentConsent> {
    const Data = { ...(isRefundable && { ReadRefundAccount: 'Yes' }), Initiation };
    const body = JSON.stringify({ Data, Risk: { PaymentContextCode: 'TransferToThirdParty' } });
    return this.#post({ accessToken, path: this.consents, body, idempotencyKey });
  }

  /**
   * @param accessToken of the customer's approval
   * @returns whether the account that pays has the money of a single payment
   */
  async confirmFunds(accessToken: string, consentId: string): Promise<boolean> {
    const { Data } = await this.get<{ Data: { FundsAvailableResult: { FundsAvailable: boolean } } }>(
      accessToken,
      `${this.consents}/${consentId}/funds-confirmation`,
    );
    return Data.FundsAvailableResult.FundsAvailable;
  }

  /** Pays what the consent says, once it is authorised. */
  createPayment(accessToken: string, { Data, Risk }: PaymentConsent, idempotencyKey?: string): Promise<Payment> {
    const { ConsentId, Initiation } = Data;
    const body = JSON.stringify({ Data: { ConsentId, Initiation }, Risk });
    return this.#post({ accessToken, path: `/${this.kind}s`, body, idempotencyKey });
  }

  readPayment(accessToken: string, paymentId: string): Promise<Payment> {
    return this.get(accessToken, `/${this.kind}s/${paymentId}`);
  }

  readDetails(accessToken: string, paymentId: string): Promise<PaymentDetails> {
    return this.get(accessToken, `/${this.kind}s/${paymentId}/payment-details`);
  }

  /** The outcome of each payment of a file. */
  readReportFile(accessToken: string, paymentId: string): Promise<ReportFile> {
    return this.get(accessToken, `/${this.kind}s/${paymentId}/report-file`);
  }

  /** @returns the answer, which must be 201 */
  async #post<Body extends object>(post: Post): Promise<Body> {
    return parseJsonObject<Body>(await this.#postSigned(post, 201));
  }

  async #postSigned(
    { accessToken, path, body: content, idempotencyKey = randomUUID() }: Post,
    status: number,
  ): Promise<HttpsResponse> {
    const body = typeof content === 'string' ? Buffer.from(content) : content;
    const headers = {
      'x-idempotency-key': idempotencyKey,
      'x-jws-signature': await createDetachedJws(body, this.options.credentials, this.version),
    };
    return this.send(path, { method: 'POST', accessToken, body, headers, status });
  }

  protected override async send(
    ...request: Parameters<ReadWriteClient<PaymentConsent>['send']>
  ): Promise<HttpsResponse> {
    const response = await super.send(...request);
    const { body, headers } = response;
    if (body.length > 0)
      await verifyDetachedJws({ detachedJws: headers['x-jws-signature'], body, keys: this.options.keys });
    return response;
  }
}
