import { randomUUID } from 'node:crypto';
import { BankUnavailableError } from './bank.errors.js';
import type { FileAtBank, PaymentScheme } from './payment-scheme.js';

/**
 * Asks what the bank has of a file payment, for callers that can continue without an answer.
 * @param noteFault gets the reason if there is none
 * @returns Away: ask later; Unreadable: the answer does not follow the bank's API
 */
export async function askForFile(
  scheme: PaymentScheme,
  filePaymentId: string,
  noteFault: (error: unknown) => void,
): Promise<FileAtBank | 'NotOffered' | 'Away' | 'Unreadable'> {
  try {
    return await scheme.findPaymentsOfFile({ filePaymentId, call: { interactionId: randomUUID() } });
  } catch (error) {
    noteFault(error);
    return error instanceof BankUnavailableError ? 'Away' : 'Unreadable';
  }
}
