import { expect } from '@jest/globals';
import { PageBrowser, signIn } from '../../../support/page-browser.js';
import { anInitiation, type Members, toJson } from '../../../support/a-consent-request.js';
import type { TestPaymentFile } from '../../../support/a-payment-file.js';
import { aTpp, TestTpp } from '../../../support/a-tpp.js';
import { until } from '../../../support/expectations.js';
import type { TestResponse } from '../../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../../support/start-test-sandbox.js';
import { useStarted } from '../../../support/use-started.js';
import { CheckedTpp } from '../checked-tpp.js';

/** A sandbox, and one TPP for each version. */
interface World40 {
  readonly sandbox: TestSandbox;
  readonly tpp: TestTpp;
  readonly older: TestTpp;
}

export const requestLimit = 10_000;

/** A sandbox for a spec that shows what settings of 4.0 do. */
export function useWorld40(): () => World40 {
  return useStarted(
    async () => {
      const sandbox = await startTestSandbox({
        environment: {
          SHOW_DEBTOR: 'true',
          REQUEST_SIGNATURE_VERIFICATION: 'log',
          RATE_LIMIT_PER_CLIENT: String(requestLimit),
          RATE_LIMIT_WINDOW_SECONDS: '3600',
          HOUSEKEEPING_SECONDS: '1',
          // The cut-off of one scheme has always passed; no test uses that scheme otherwise.
          CUT_OFF_TIMES: 'reject,BalanceTransfer=00:00/daily',
        },
      });
      const older = await aTpp(sandbox);
      return { sandbox, older, tpp: new CheckedTpp({ ...older, version: '4.0' }) };
    },
    async ({ sandbox, older }) => {
      older.close();
      await sandbox.stop();
    },
  );
}

/** A status by its name in 3.1. */
const statusOf31 = /\b(Awaiting\w+|Authorised|Consumed|Rejected)\b/;

/** OBErrorResponse1 of 4.0, with an entry of this code and path. */
export function expectError40(response: TestResponse, status: number, ErrorCode: string, path?: string): void {
  const { Errors = [], ...rest } = (response.text === '' ? {} : response.json()) as {
    Errors?: Record<string, unknown>[];
  };
  const item: unknown = expect.objectContaining({ ErrorCode, ...(path === undefined ? {} : { Path: path }) });
  expect({ status: response.status, Errors }).toEqual({ status, Errors: expect.arrayContaining([item]) });
  expect(Object.keys(rest).sort()).toEqual(['Id', 'Message']);
  for (const error of Errors) {
    expect(error['ErrorCode']).toMatch(/^U\d{3}$/);
    expect(error['Message']).toMatch(/^UK\.\w+(\.\w+)+ - \S/);
    expect(error['Message']).not.toMatch(statusOf31);
    expect(String(error['Url']).endsWith(`/docs/errors/${String(error['ErrorCode'])}`)).toBe(true);
  }
}

/** Sends requests while their consent is locked, so that each reads it before any of them changes it. */
export async function atOneMoment(
  { sandbox: { database } }: World40,
  consentId: string,
  send: () => Promise<TestResponse>[],
): Promise<TestResponse[]> {
  const holder = await database.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM payment_consents WHERE consent_id = $1 FOR UPDATE', [consentId]);
    const answers = send();
    const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await until(async () => ((await database.query(waiting)).rowCount ?? 0) >= answers.length);
    await holder.query('ROLLBACK');
    return await Promise.all(answers);
  } finally {
    holder.release();
  }
}

/** @returns the one of two answers that differs from the expected one; the other must match it */
export function theRefused(answers: readonly TestResponse[], wanted: number): TestResponse {
  const refused = answers.filter(({ status }) => status !== wanted);
  expect(answers.map(({ status }) => status)).toContain(wanted);
  expect(refused).toHaveLength(1);
  return refused[0] as TestResponse;
}

/** @returns the body of POST /file-payment-consents with members of Initiation that differ */
export function aConsent(file: TestPaymentFile, initiation: Members = {}, data: Members = {}): string {
  return toJson({ Data: { Initiation: anInitiation(file, initiation), ...data } });
}

/** The customer alice declines a consent in the pages. */
export async function decline({ sandbox, tpp }: World40, consentId: string): Promise<string> {
  const { url } = await tpp.createAuthorizationRequest(consentId);
  const browser = new PageBrowser(sandbox);
  const page = await signIn(browser, await browser.get(url));
  return String((await browser.submit(page, '/decline')).headers.location);
}
