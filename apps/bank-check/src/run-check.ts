import { authenticationSteps } from './authentication-steps.js';
import { BankApi } from './bank-api.js';
import { type BankAddress, BankFault, BankUnderTest, type Exchange, NotOfferedError } from './bank-under-test.js';
import { furtherSteps } from './further-steps.js';
import { paymentSteps } from './payment-steps.js';
import { NotReachedError, Scenario, type Step, type TestCustomer } from './scenario.js';

/** `not offered`: the bank may lack it. `not reached`: an earlier step has failed. */
export type Outcome = 'passed' | 'failed' | 'not offered' | 'not reached';

export interface StepResult {
  readonly operation: string;
  readonly isOptional: boolean;
  readonly title: string;
  readonly outcome: Outcome;
  /** why it has not passed */
  readonly reason?: string;
  readonly exchanges: readonly Exchange[];
  readonly seconds: number;
}

/** In this order: the later ones need the earlier ones. */
export const steps: readonly Step[] = [...authenticationSteps, ...paymentSteps, ...furtherSteps];

/**
 * Asks a bank everything that the service asks it.
 * @param options.isMinimum only the operations without which no file is paid
 */
export async function runCheck(options: {
  address: BankAddress;
  customer: TestCustomer;
  isMinimum: boolean;
}): Promise<readonly StepResult[]> {
  const api = await BankApi.read();
  const bank = new BankUnderTest(api, options.address);
  const scenario = new Scenario(bank, options.customer);
  const results: StepResult[] = [];
  try {
    for (const step of steps) {
      const { isMinimum, isOptional } = api.get(step.operation);
      if (options.isMinimum && !isMinimum) continue;
      const { operation, title } = step;
      const startedAt = performance.now();
      const ended = await step.run(scenario).then(() => ({ outcome: 'passed' as const }), judge);
      const seconds = (performance.now() - startedAt) / 1_000;
      results.push({ operation, isOptional, title, ...ended, exchanges: bank.takeExchanges(), seconds });
    }
  } finally {
    bank.close();
  }
  return results;
}

/** @throws whatever is a fault of this program */
function judge(error: unknown): Pick<StepResult, 'outcome' | 'reason'> {
  if (error instanceof NotOfferedError) return { outcome: 'not offered' };
  if (error instanceof NotReachedError) return { outcome: 'not reached', reason: error.message };
  if (error instanceof BankFault) return { outcome: 'failed', reason: error.message };
  throw error;
}
