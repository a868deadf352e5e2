import { randomUUID } from 'node:crypto';
import { createDetachedJws, verifyDetachedJws } from './file-payments/detached-jws.js';
import type { HttpsResponse } from './https-client.js';
import { parseJsonObject, type JsonObject } from './json.js';
import type { ProviderKeys } from './oauth/provider.js';
import type { PaymentKind } from './purpose.js';
import { ReadWriteClient, type ReadWriteClientOptions } from './read-write-client.js';
import type { TppCredentials } from './tpp-credentials.js';

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
export class PaymentsClient extends ReadWriteClient<PaymentsClientOptions> {
  constructor(
    readonly kind: PaymentKind,
    options: PaymentsClientOptions,
  ) {
    super(options);
  }

  readConsent(accessToken: string, consentId: string): Promise<PaymentConsent> {
    return this.get(accessToken, `/${this.kind}-consents/${consentId}`);
  }

  /** Pays what the consent says, once it is authorised. */
  createPayment(accessToken: string, { Data, Risk }: PaymentConsent, idempotencyKey?: string): Promise<Payment> {
    const { ConsentId, Initiation } = Data;
    const body = JSON.stringify({ Data: { ConsentId, Initiation }, Risk });
    return this.post({ accessToken, path: `/${this.kind}s`, body, idempotencyKey });
  }

  readPayment(accessToken: string, paymentId: string): Promise<Payment> {
    return this.get(accessToken, `/${this.kind}s/${paymentId}`);
  }

  /** @returns the answer, which must be 201 */
  protected async post<Body extends object>(post: Post): Promise<Body> {
    return parseJsonObject<Body>(await this.postSigned(post, 201));
  }

  protected async postSigned(
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

  protected override async send(...request: Parameters<ReadWriteClient['send']>): Promise<HttpsResponse> {
    const response = await super.send(...request);
    const { body, headers } = response;
    if (body.length > 0)
      await verifyDetachedJws({ detachedJws: headers['x-jws-signature'], body, keys: this.options.keys });
    return response;
  }
}
