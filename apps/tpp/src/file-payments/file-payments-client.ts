import { randomUUID } from 'node:crypto';
import type { HttpsClient, HttpsRequest, HttpsResponse } from '../https-client.js';
import { expectEqual, expectStatus } from '../journey-error.js';
import { parseJsonObject, type JsonObject } from '../json.js';
import type { ProviderKeys } from '../oauth/provider.js';
import type { TppCredentials } from '../tpp-credentials.js';
import { createDetachedJws, verifyDetachedJws } from './detached-jws.js';
import { type ApiVersion, versionWords } from './api-version.js';
import type { PaymentFile } from './payment-file.js';

/** The members of a file payment consent that this program reads (OBWriteFileConsentResponse3). */
export interface PaymentConsent {
  Data: { ConsentId: string; Status: string; Initiation: JsonObject };
}

/** The members of a file payment that this program reads (OBWriteFileResponse2). */
export interface FilePayment {
  Data: {
    FilePaymentId: string;
    ConsentId: string;
    Status: string;
    Initiation: JsonObject;
    /** if several people must approve */
    MultiAuthorisation?: { Status: string; NumberRequired?: number; NumberReceived?: number };
  };
}

/** The members of the report file that this program reads. */
interface PaymentOutcome {
  PaymentId: string;
  Status: string;
  StatusDetail?: { StatusReason?: string };
}

export interface ReportFile {
  Data: { Status: string; ControlSum: number; DomesticPayments: PaymentOutcome[] };
}

/** What is sent, and signed, with a POST. */
interface Post {
  accessToken: string;
  path: string;
  body: string | Buffer;
  idempotencyKey: string | undefined;
}

/** The file payments API as a TPP uses it, in one version of it: every POST signed, the signature of every answer with a body verified. */
export class FilePaymentsClient {
  readonly #client: HttpsClient;
  readonly #baseUrl: string;
  readonly #credentials: TppCredentials;
  readonly #keys: ProviderKeys;
  readonly version: ApiVersion;

  /**
   * @param options.client HTTPS with our client certificate
   * @param options.baseUrl `{base_url}/open-banking/v3.1/pisp`
   * @param options.keys of the bank
   * @param options.version of baseUrl; absent: 3.1
   */
  constructor(options: {
    client: HttpsClient;
    baseUrl: string;
    credentials: TppCredentials;
    keys: ProviderKeys;
    version?: ApiVersion;
  }) {
    this.version = options.version ?? '3.1';
    this.#client = options.client;
    this.#baseUrl = options.baseUrl;
    this.#credentials = options.credentials;
    this.#keys = options.keys;
  }

  /**
   * Stages a consent for a file; it identifies no customer.
   * @param members of the initiation that differ from FPS with a reference
   * @param idempotencyKey of an earlier attempt whose answer was lost; a new one by default
   */
  async createConsent(
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
    return this.#post({ accessToken, path: '/file-payment-consents', body, idempotencyKey });
  }

  /** Uploads the file; the answer is empty. */
  async uploadFile(accessToken: string, consentId: string, file: PaymentFile, idempotencyKey?: string): Promise<void> {
    const path = `/file-payment-consents/${consentId}/file`;
    await this.#send(await this.#signed({ accessToken, path, body: file.body, idempotencyKey }), 200);
  }

  async readConsent(accessToken: string, consentId: string): Promise<PaymentConsent> {
    return this.#get(accessToken, `/file-payment-consents/${consentId}`);
  }

  /** Makes the payments of an authorised consent. */
  async createFilePayment(
    accessToken: string,
    { Data }: PaymentConsent,
    idempotencyKey?: string,
  ): Promise<FilePayment> {
    const body = JSON.stringify({ Data: { ConsentId: Data.ConsentId, Initiation: Data.Initiation } });
    return this.#post({ accessToken, path: '/file-payments', body, idempotencyKey });
  }

  async readFilePayment(accessToken: string, filePaymentId: string): Promise<FilePayment> {
    return this.#get(accessToken, `/file-payments/${filePaymentId}`);
  }

  async readReportFile(accessToken: string, filePaymentId: string): Promise<ReportFile> {
    return this.#get(accessToken, `/file-payments/${filePaymentId}/report-file`);
  }

  async #post<Body extends object>(post: Post): Promise<Body> {
    return parseJsonObject<Body>(await this.#send(await this.#signed(post), 201));
  }

  async #get<Body extends object>(accessToken: string, path: string): Promise<Body> {
    const headers = this.#headers(accessToken);
    return parseJsonObject<Body>(await this.#send({ method: 'GET', url: `${this.#baseUrl}${path}`, headers }, 200));
  }

  async #signed({ accessToken, path, body: content, idempotencyKey = randomUUID() }: Post): Promise<HttpsRequest> {
    const body = typeof content === 'string' ? Buffer.from(content) : content;
    const headers = {
      ...this.#headers(accessToken),
      'content-type': 'application/json',
      'x-idempotency-key': idempotencyKey,
      'x-jws-signature': await createDetachedJws(body, this.#credentials, this.version),
    };
    return { method: 'POST', url: `${this.#baseUrl}${path}`, headers, body };
  }

  #headers(accessToken: string): Record<string, string> {
    return {
      authorization: `Bearer ${accessToken}`,
      accept: 'application/json',
      'x-fapi-interaction-id': randomUUID(),
    };
  }

  async #send(request: HttpsRequest, status: number): Promise<HttpsResponse> {
    const response = await this.#client.send(request);
    expectStatus(status, request, response);
    const name = 'x-fapi-interaction-id';
    expectEqual(response.headers[name], request.headers?.[name], name);
    if (response.body.length > 0) {
      const detachedJws = response.headers['x-jws-signature'];
      await verifyDetachedJws({ detachedJws, body: response.body, keys: this.#keys });
    }
    return response;
  }
}
