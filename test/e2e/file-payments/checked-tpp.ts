import { type Differences, TestTpp } from '../../support/a-tpp.js';
import type { TestResponse } from '../../support/https-request.js';
import { DocumentCheck, operationsOf } from '../documentation/api-document.js';
import { type OfficialArea, OfficialDescription } from './official-description.js';

const check = new DocumentCheck();
const operations = ['file-payments', 'file-payments-4.0', 'domestic-payments', 'domestic-payments-4.0'].flatMap(
  (area) =>
    operationsOf(area).map((operation) => {
      const form = operation.path.replace(/^.*pisp/, '').replaceAll(/\{\w+\}/g, '[^/]+');
      return { operation, form: new RegExp(`^${operation.method} ${form}$`) };
    }),
);

/**
 * A TPP that validates every answer against the API document of its version, in every test, and against the official
 * description, where that is given.
 */
export class CheckedTpp extends TestTpp {
  protected readonly area: OfficialArea = 'FILE_PAYMENTS';

  override async get(path: string, differences: Differences = {}): Promise<TestResponse> {
    return this.#checked(differences.method ?? 'GET', path, await super.get(path, differences));
  }

  override async post(path: string, body: string | Buffer, differences: Differences = {}): Promise<TestResponse> {
    return this.#checked(differences.method ?? 'POST', path, await super.post(path, body, differences));
  }

  #checked(method: string, path: string, response: TestResponse): TestResponse {
    OfficialDescription.of(this.version, this.area)?.check(method, path, response);
    const area = `${this.area.toLowerCase().replace('_', '-')}${this.version === '3.1' ? '' : `-${this.version}`}`;
    const known = operations.find(({ operation, form }) => operation.area === area && form.test(`${method} ${path}`));
    // A file is the TPP's own: it gets back whatever it uploaded.
    const isOwn = known?.operation.name === 'GetFilePaymentConsentsConsentIdFile' && response.status === 200;
    if (known !== undefined && !isOwn) check.check(known.operation, response);
    return response;
  }
}
