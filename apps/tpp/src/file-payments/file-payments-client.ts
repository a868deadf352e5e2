import { type PaymentConsent, PaymentsClient, type PaymentsClientOptions } from '../payments-client.js';
import { versionWords } from './api-version.js';
import type { PaymentFile } from './payment-file.js';

/** The members of the report file that this program reads. */
export interface PaymentOutcome {
  PaymentId: string;
  /** as the file has them; absent once the bank's retention time is over */
  InstructionIdentification?: string;
  EndToEndIdentification?: string;
  Status: string;
  StatusDetail?: { StatusReason?: string; StatusReasonDescription?: string };
}

export interface ReportFile {
  Data: { Status: string; DomesticPayments: PaymentOutcome[] };
}

/** The file payments API of one version, as a TPP uses it. */
export class FilePaymentsClient extends PaymentsClient {
  constructor(options: PaymentsClientOptions) {
    super('file-payment', options);
  }

  /**
   * Stages a consent for a file; it identifies no customer.
   * @param members of the initiation that differ from FPS with a reference
   */
  createConsent(
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
    return this.post({ accessToken, path: '/file-payment-consents', body, idempotencyKey });
  }

  /** Uploads the file; the answer is empty. */
  async uploadFile(accessToken: string, consentId: string, file: PaymentFile, idempotencyKey?: string): Promise<void> {
    const path = `/file-payment-consents/${consentId}/file`;
    await this.postSigned({ accessToken, path, body: file.body, idempotencyKey }, 200);
  }

  readReportFile(accessToken: string, filePaymentId: string): Promise<ReportFile> {
    return this.get(accessToken, `/file-payments/${filePaymentId}/report-file`);
  }
}
