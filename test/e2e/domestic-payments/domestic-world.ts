import { expect } from '@jest/globals';
import type { Members } from '../../support/a-consent-request.js';
import type { ApiVersion } from '../../support/a-payment-file.js';
import { aTpp, type CustomerName, type Differences } from '../../support/a-tpp.js';
import type { TestResponse } from '../../support/https-request.js';
import { PageBrowser, signIn } from '../../support/page-browser.js';
import { CheckedTpp } from '../file-payments/checked-tpp.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { useStarted } from '../../support/use-started.js';
import { dataOf } from '../file-payments/world.js';

export const consents = '/domestic-payment-consents';
export const payments = '/domestic-payments';

/** Valid members of Data.Initiation in the version, with changes; undefined removes one. */
export function anInitiation(version: ApiVersion, differences: Members = {}): Members {
  const Reference = 'INV-17';
  return {
    InstructionIdentification: 'I-1',
    EndToEndIdentification: 'E-1',
    InstructedAmount: { Amount: '10.50', Currency: 'GBP' },
    CreditorAccount: {
      SchemeName: 'UK.OBIE.SortCodeAccountNumber',
      Identification: '20000199999999',
      Name: 'Dana Dole',
    },
    RemittanceInformation:
      version === '3.1' ? { Reference } : { Structured: [{ CreditorReferenceInformation: { Reference } }] },
    ...differences,
  };
}

export const aRisk = {
  PaymentContextCode: 'TransferToThirdParty',
  DeliveryAddress: { TownName: 'Leeds', Country: 'GB' },
};

/** @returns the path of a payment */
export const pathOf = (paid: TestResponse): string => `${payments}/${String(dataOf(paid)['DomesticPaymentId'])}`;

/** One version of single payments, in the sandbox that the tests of a spec share. */
interface DomesticWorld {
  readonly version: ApiVersion;
  readonly tpp: () => DomesticTpp;
  /** of another organisation */
  readonly otherTpp: () => DomesticTpp;
  readonly sandbox: () => TestSandbox;
}

/** A consent that the customer has approved, and the token of that approval. */
export interface Approved {
  readonly consentId: string;
  readonly accessToken: string;
  /** where the bank led back to, with code and ID token */
  readonly location: string;
}

/** A TPP that makes single payments. */
export class DomesticTpp extends CheckedTpp {
  protected override readonly area = 'DOMESTIC_PAYMENTS';

  consent(initiation: Members = {}, more: { data?: Members; risk?: Members; differences?: Differences } = {}) {
    const { data = {}, risk = aRisk, differences } = more;
    const Data = { Initiation: anInitiation(this.version, initiation), ...data };
    return this.post(consents, JSON.stringify({ Data, Risk: risk }), differences);
  }

  async stage(initiation: Members = {}, more: { data?: Members; risk?: Members } = {}): Promise<string> {
    const response = await this.consent(initiation, more);
    expect({ status: response.status, text: response.text }).toMatchObject({ status: 201 });
    return String(dataOf(response)['ConsentId']);
  }

  /** Has a customer approve a staged consent in the pages. */
  async approve(consentId: string, customer: CustomerName = 'alice', accountName?: string): Promise<Approved> {
    const request = await this.createAuthorizationRequest(consentId);
    const location = await this.approveInPages(request, customer, accountName);
    const accessToken = await this.exchangeCode({ consentId, initiation: {}, location, request });
    return { consentId, accessToken, location };
  }

  /** Where alice reads what she is asked to approve. */
  async pageFor(consentId: string): Promise<string> {
    const browser = new PageBrowser(this.sandbox);
    const { url } = await this.createAuthorizationRequest(consentId);
    return (await signIn(browser, await browser.get(url))).html;
  }

  payFor(
    { consentId, accessToken }: Approved,
    {
      initiation = {},
      risk = aRisk,
      differences = {},
    }: { initiation?: Members; risk?: Members; differences?: Differences } = {},
  ): Promise<TestResponse> {
    const Data = { ConsentId: consentId, Initiation: anInitiation(this.version, initiation) };
    return this.post(payments, JSON.stringify({ Data, Risk: risk }), { accessToken, ...differences });
  }

  async statusOf(consentId: string): Promise<unknown> {
    return dataOf(await this.get(`${consents}/${consentId}`))['Status'];
  }
}

/**
 * Starts a sandbox for a spec.
 * @returns one world for each version
 */
export function useDomesticWorlds(): DomesticWorld[] {
  const started = useStarted(
    async () => {
      const sandbox = await startTestSandbox({
        environment: {
          SHOW_DEBTOR: 'true',
          HOUSEKEEPING_SECONDS: '1',
          CHAPS_CHARGE: '15.00',
          CUT_OFF_TIMES: 'CHAPS=17:40',
        },
      });
      const [tpp, otherTpp] = await Promise.all([aTpp(sandbox), aTpp(sandbox, { index: 1 })]);
      return { sandbox, tpp, otherTpp };
    },
    async ({ sandbox, tpp, otherTpp }) => {
      tpp.close();
      otherTpp.close();
      await sandbox.stop();
    },
  );
  return (['3.1', '4.0'] as const).map((version) => ({
    version,
    tpp: () => new DomesticTpp({ ...started().tpp, version }),
    otherTpp: () => new DomesticTpp({ ...started().otherTpp, version }),
    sandbox: () => started().sandbox,
  }));
}
