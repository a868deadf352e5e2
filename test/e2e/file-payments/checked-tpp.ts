import type { Differences } from '../../support/a-tpp.js';
import type { TestResponse } from '../../support/https-request.js';
import {
  obErrorResponse1,
  obWriteFileConsentResponse3,
  obWriteFileResponse2,
  obWritePaymentDetailsResponse1,
  readFileResponse,
  reportFile,
} from './obie-shapes.js';
import { OfficialTpp } from './official-description.js';
import type { Shape } from './shape.js';

/** A path of an operation, and the type of its successful answer; no type: no body. */
const operations: [RegExp, Shape | undefined][] = [
  [/^POST \/file-payment-consents$/, obWriteFileConsentResponse3],
  [/^GET \/file-payment-consents\/[^/]+$/, obWriteFileConsentResponse3],
  [/^POST \/file-payment-consents\/[^/]+\/file$/, undefined],
  [/^GET \/file-payment-consents\/[^/]+\/file$/, readFileResponse],
  [/^POST \/file-payments$/, obWriteFileResponse2],
  [/^GET \/file-payments\/[^/]+$/, obWriteFileResponse2],
  [/^GET \/file-payments\/[^/]+\/report-file$/, reportFile],
  [/^GET \/file-payments\/[^/]+\/payment-details$/, obWritePaymentDetailsResponse1],
];

/** A TPP that validates every answer against the types of 3.1.2 and the description of 3.1.11, in every test. */
export class CheckedTpp extends OfficialTpp {
  override async get(path: string, differences: Differences = {}): Promise<TestResponse> {
    return checked(`${differences.method ?? 'GET'} ${path}`, await super.get(path, differences));
  }

  override async post(path: string, body: string | Buffer, differences: Differences = {}): Promise<TestResponse> {
    return checked(`${differences.method ?? 'POST'} ${path}`, await super.post(path, body, differences));
  }
}

/** @throws Error that lists everything in the answer that its type does not have */
function checked(operation: string, response: TestResponse): TestResponse {
  const faults = faultsOf(operation, response);
  if (faults.length > 0) throw new Error(`${operation} ${response.status}: ${faults.join('; ')}\n${response.text}`);
  return response;
}

function faultsOf(operation: string, { status, text, json }: TestResponse): string[] {
  // FP-173: these have a body of just this type; all other errors have none.
  if ([400, 403, 500].includes(status)) return obErrorResponse1(json(), '');
  const found = operations.find(([form]) => form.test(operation));
  const shape = status < 300 ? found?.[1] : undefined;
  if (shape !== undefined) return shape(json(), '');
  return text === '' ? [] : ['there should be no body'];
}
