import { randomUUID } from 'node:crypto';
import type { HttpsClient, HttpsRequest, HttpsResponse } from '../https-client.js';
import { expectEqual, expectStatus } from '../journey-error.js';
import { parseJsonObject, type JsonObject } from '../json.js';
import type { ProviderKeys } from '../oauth/provider.js';
import type { TppCredentials } from '../tpp-credentials.js';
import { createDetachedJws, verifyDetachedJws } from './detached-jws.js';
import type { PaymentFile } from './payment-file.js';

/** What we look at in a file payment consent (OBWriteFileConsentResponse3). */
export interface FilePaymentConsent {
  Data: { ConsentId: string; Status: string; Initiation: JsonObject };
}

/** What we look at in a file payment (OBWriteFileResponse2). */
export interface FilePayment {
  Data: { FilePaymentId: string; ConsentId: string; Status: string; Initiation: JsonObject };
}

/** What we look at in the report file. */
export interface ReportFile {
  Data: { Status: string; ControlSum: number; DomesticPayments: { PaymentId: string; Status: string }[] };
}

/** The file payments API 3.1 as a TPP uses it: every POST signed, the signature of every answer with a body verified. */
export class FilePaymentsClient {
  readonly #client: HttpsClient;
  readonly #baseUrl: string;
  readonly #credentials: TppCredentials;
  readonly #keys: ProviderKeys;

  /**
   * @param options.client HTTPS with our client certificate
   * @param options.baseUrl `{base_url}/open-banking/v3.1/pisp`
   * @param options.keys of the bank
   */
  constructor(options: { client: HttpsClient; baseUrl: string; credentials: TppCredentials; keys: ProviderKeys }) {
    this.#client = options.client;
    this.#baseUrl = options.baseUrl;
    this.#credentials = options.credentials;
    this.#keys = options.keys;
  }

  /**
   * Stages a consent for a file; it identifies no customer.
   * @param members of the initiation that differ from FPS with a reference
   */
  async createConsent(
    accessToken: string,
    file: PaymentFile,
    members: Readonly<Record<string, unknown>> = {},
  ): Promise<FilePaymentConsent> {
    // ControlSum is a JSON number; it goes into the text as it is, for not to pass through a binary fraction.
    const initiation = JSON.stringify({
      FileType: 'UK.OBIE.PaymentInitiation.3.1',
      FileHash: file.fileHash,
      FileReference: 'DEMO-FILE',
      NumberOfTransactions: file.numberOfTransactions,
      LocalInstrument: 'UK.OBIE.FPS',
      ...members,
    });
    const body = `{"Data":{"Initiation":${initiation.slice(0, -1)},"ControlSum":${file.controlSum}}}}`;
    return this.#post(accessToken, '/file-payment-consents', body, 201);
  }

  /** Uploads the file; the answer is empty. */
  async uploadFile(accessToken: string, consentId: string, file: PaymentFile): Promise<void> {
    await this.#send(await this.#signed(accessToken, `/file-payment-consents/${consentId}/file`, file.body), 200);
  }

  async readConsent(accessToken: string, consentId: string): Promise<FilePaymentConsent> {
    return this.#get(accessToken, `/file-payment-consents/${consentId}`);
  }

  /** Makes the payments of an authorised consent. */
  async createFilePayment(accessToken: string, { Data }: FilePaymentConsent): Promise<FilePayment> {
    const body = JSON.stringify({ Data: { ConsentId: Data.ConsentId, Initiation: Data.Initiation } });
    return this.#post(accessToken, '/file-payments', body, 201);
  }

  async readFilePayment(accessToken: string, filePaymentId: string): Promise<FilePayment> {
    return this.#get(accessToken, `/file-payments/${filePaymentId}`);
  }

  async readReportFile(accessToken: string, filePaymentId: string): Promise<ReportFile> {
    return this.#get(accessToken, `/file-payments/${filePaymentId}/report-file`);
  }

  async #post<Body extends object>(accessToken: string, path: string, body: string, status: number): Promise<Body> {
    return parseJsonObject<Body>(await this.#send(await this.#signed(accessToken, path, Buffer.from(body)), status));
  }

  async #get<Body extends object>(accessToken: string, path: string): Promise<Body> {
    const headers = this.#headers(accessToken);
    return parseJsonObject<Body>(await this.#send({ method: 'GET', url: `${this.#baseUrl}${path}`, headers }, 200));
  }

  async #signed(accessToken: string, path: string, body: Buffer): Promise<HttpsRequest> {
    const headers = {
      ...this.#headers(accessToken),
      'content-type': 'application/json',
      'x-idempotency-key': randomUUID(),
      'x-jws-signature': await createDetachedJws(body, this.#credentials),
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
