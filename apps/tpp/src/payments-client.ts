import { randomUUID } from 'node:crypto';
import { createDetachedJws, verifyDetachedJws } from './file-payments/detached-jws.js';
import type { ApiVersion } from './file-payments/api-version.js';
import type { HttpsClient, HttpsRequest, HttpsResponse } from './https-client.js';
import { expectEqual, expectStatus } from './journey-error.js';
import { parseJsonObject, type JsonObject } from './json.js';
import type { ProviderKeys } from './oauth/provider.js';
import type { PaymentKind } from './purpose.js';
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
    MultiAuthorisation?: { Status: string; NumberRequired?: number; NumberReceived?: number };
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
export interface PaymentsClientOptions {
  /** HTTPS with our client certificate */
  client: HttpsClient;
  /** `{base_url}/open-banking/v3.1/pisp` */
  baseUrl: string;
  credentials: TppCredentials;
  /** of the bank */
  keys: ProviderKeys;
  /** of baseUrl */
  version: ApiVersion;
}

/**
 * The payments API of one kind as a TPP uses it, in one version of it: every POST signed, the signature of every answer
 * with a body verified.
 */
export class PaymentsClient {
  readonly version: ApiVersion;

  constructor(
    readonly kind: PaymentKind,
    private readonly options: PaymentsClientOptions,
  ) {
    this.version = options.version;
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
    return parseJsonObject<Body>(await this.send(post, 201));
  }

  protected async get<Body extends object>(accessToken: string, path: string): Promise<Body> {
    const request = { method: 'GET', url: `${this.options.baseUrl}${path}`, headers: headersOf(accessToken) } as const;
    return parseJsonObject<Body>(await this.#exchange(request, 200));
  }

  protected async send(
    { accessToken, path, body: content, idempotencyKey = randomUUID() }: Post,
    status: number,
  ): Promise<HttpsResponse> {
    const { baseUrl, credentials } = this.options;
    const body = typeof content === 'string' ? Buffer.from(content) : content;
    const headers = {
      ...headersOf(accessToken),
      'content-type': 'application/json',
      'x-idempotency-key': idempotencyKey,
      'x-jws-signature': await createDetachedJws(body, credentials, this.version),
    };
    return this.#exchange({ method: 'POST', url: `${baseUrl}${path}`, headers, body }, status);
  }

  async #exchange(request: HttpsRequest, status: number): Promise<HttpsResponse> {
    const { client, keys } = this.options;
    const response = await client.send(request);
    expectStatus(status, request, response);
    const name = 'x-fapi-interaction-id';
    expectEqual(response.headers[name], request.headers?.[name], name);
    if (response.body.length > 0) {
      const detachedJws = response.headers['x-jws-signature'];
      await verifyDetachedJws({ detachedJws, body: response.body, keys });
    }
    return response;
  }
}

function headersOf(accessToken: string): Record<string, string> {
  return {
    authorization: `Bearer ${accessToken}`,
    accept: 'application/json',
    'x-fapi-interaction-id': randomUUID(),
  };
}
