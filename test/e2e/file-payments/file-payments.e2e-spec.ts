import { afterAll, beforeAll } from '@jest/globals';
import { aTpp } from '../../support/a-tpp.js';
import { startTestSandbox } from '../../support/start-test-sandbox.js';
import { CheckedTpp } from './checked-tpp.js';
import { describeBankReports } from './bank-reports.js';
import { describeConsents } from './consent-creation.js';
import { describeEveryOperation } from './every-operation.js';
import { describeFuzz } from './fuzz.js';
import { describeHeadersAndTokens } from './headers-and-tokens.js';
import { describeHostileFiles } from './hostile-files.js';
import { describeIdempotency } from './idempotency.js';
import { describeOverdueSettlement } from './overdue-settlement.js';
import { describeFilePayments } from './payment-creation.js';
import { describeRetention } from './retention.js';
import { describeSignatures } from './signature.js';
import { describeFiles } from './upload.js';
import type { World } from './world.js';

let world: World | undefined;

// One sandbox for all of the file payments API: starting one costs more than a hundred of the requests below.
beforeAll(async () => {
  const sandbox = await startTestSandbox();
  const [tpp, otherTpp] = await Promise.all([aTpp(sandbox), aTpp(sandbox, { index: 1 })]);
  world = { sandbox, tpp: new CheckedTpp(tpp), otherTpp: new CheckedTpp(otherTpp) };
});

afterAll(async () => {
  world?.tpp.close();
  world?.otherTpp.close();
  await world?.sandbox.stop();
});

const getWorld = (): World => {
  if (!world) throw new Error('The sandbox did not start.');
  return world;
};

describeConsents(getWorld);
describeFiles(getWorld);
describeHostileFiles(getWorld);
describeFilePayments(getWorld);
describeIdempotency(getWorld);
describeSignatures(getWorld);
describeHeadersAndTokens(getWorld);
describeEveryOperation(getWorld);
describeRetention(getWorld);
describeBankReports(getWorld);
describeOverdueSettlement(getWorld);
describeFuzz(getWorld);
