import { randomUUID } from 'node:crypto';
import { aConsentRequest, aPaymentRequest } from '../../support/a-consent-request.js';
import type { AuthorisedConsent, TestTpp } from '../../support/a-tpp.js';
import type { Call } from './document-driver.js';

interface Ids {
  ConsentId?: string;
  FilePaymentId?: string;
}

/** How the operations on file payments are called in one version. */
export class FilePaymentCalls {
  readonly tpp: TestTpp;
  readonly paid: AuthorisedConsent & { filePaymentId: string };
  /** a token that a customer has approved */
  readonly customerToken: string;

  private constructor(parts: Pick<FilePaymentCalls, 'tpp' | 'paid' | 'customerToken'>) {
    this.tpp = parts.tpp;
    this.paid = parts.paid;
    this.customerToken = parts.customerToken;
  }

  /** Makes a file payment for the operations. */
  static async prepare(tpp: TestTpp): Promise<FilePaymentCalls> {
    const consent = await tpp.authorise();
    const customerToken = await tpp.exchangeCode(consent);
    const { Data } = (await tpp.pay(consent)).json() as { Data: { FilePaymentId: string } };
    return new FilePaymentCalls({ tpp, customerToken, paid: { ...consent, filePaymentId: Data.FilePaymentId } });
  }

  /** By the name of the operation, a request that it answers with its 2xx. */
  readonly makers: Record<string, () => Call | Promise<Call>> = {
    CreateFilePaymentConsents: () => this.post(aConsentRequest({ file: this.tpp.file() })),
    GetFilePaymentConsentsConsentId: () => this.#get({ ConsentId: this.paid.consentId }),
    CreateFilePaymentConsentsConsentIdFile: async () => {
      const file = this.tpp.file();
      const path = this.resourcePath({ ConsentId: await this.tpp.stageConsent(file) }, '/file');
      return { ...this.post(file.body), path };
    },
    GetFilePaymentConsentsConsentIdFile: () => this.#get({ ConsentId: this.paid.consentId }, '/file'),
    CreateFilePayments: async () => {
      const { consentId, initiation } = await this.tpp.authorise();
      return this.post(aPaymentRequest(consentId, initiation));
    },
    GetFilePaymentsFilePaymentId: () => this.#get({ FilePaymentId: this.paid.filePaymentId }),
    GetFilePaymentsFilePaymentIdPaymentDetails: () =>
      this.#get({ FilePaymentId: this.paid.filePaymentId }, '/payment-details'),
    GetFilePaymentsFilePaymentIdReportFile: () => this.#get({ FilePaymentId: this.paid.filePaymentId }, '/report-file'),
  };

  /** @returns a payment that is valid except that its consent has been consumed */
  again(): Call {
    return this.post(aPaymentRequest(this.paid.consentId, this.paid.initiation));
  }

  /** @returns an upload to the same consent, which has its file */
  fileAgain(): Call {
    const path = this.resourcePath({ ConsentId: this.paid.consentId }, '/file');
    return { ...this.post(this.tpp.file().body), path };
  }

  /** POST with a new idempotency key and a signature over the body. */
  post(body: string | Buffer, headers: Call['headers'] = {}, _name?: string): Call {
    return {
      body,
      agent: this.tpp.agent,
      headers: {
        authorization: `Bearer ${this.tpp.accessToken}`,
        accept: 'application/json',
        'content-type': 'application/json',
        'x-idempotency-key': randomUUID(),
        'x-jws-signature': this.tpp.signBody(body),
        ...headers,
      },
    };
  }

  /** @returns the path of a resource */
  resourcePath({ ConsentId, FilePaymentId }: Ids, rest = ''): string {
    const resource = ConsentId === undefined ? `file-payments/${FilePaymentId}` : `file-payment-consents/${ConsentId}`;
    return `/open-banking/v${this.tpp.version}/pisp/${resource}${rest}`;
  }

  #get(ids: Ids, rest = ''): Call {
    const headers = { authorization: `Bearer ${this.tpp.accessToken}`, accept: 'application/json' };
    return { headers, agent: this.tpp.agent, path: this.resourcePath(ids, rest) };
  }
}
