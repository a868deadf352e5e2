import { randomUUID } from 'node:crypto';
import { BankUnavailableError } from './bank.errors.js';
import type { FileAtBank, PaymentScheme } from './payment-scheme.js';

/**
 * Asks what the bank has of a file payment where the answer is wanted, not needed.
 * @param noteFault hears why there is none
 * @returns Away: ask later; Unreadable: the bank answered as its API does not provide for
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
