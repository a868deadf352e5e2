import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { BankAnswerError, BankRefusedError, BankUnavailableError } from '#libs/bank';
import { BodilessError } from '#libs/error-envelope';
import { createFundsConfirmationWire } from '../wire/funds-confirmation/funds-confirmation-wire.js';
import { accessVersion40 } from '../wire/v4.0/access-version.js';
import { FundsConfirmationsService } from './funds-confirmations.service.js';
import { FundsQuestionsService } from './funds-questions.service.js';

Logger.overrideLogger(false);

const clock = { now: () => new Date('2026-01-01T00:00:00Z') };

const consentId = '01890a5d-ac96-774b-bcce-b302099a8057';
const consent = {
  consentId,
  clientId: 'c',
  apiVersion: '4.0',
  status: 'Authorised',
  accounts: [{ SchemeName: 'UK.OBIE.IBAN', Identification: 'GB29NWBK60161331926819' }],
};
const body = {
  Data: { ConsentId: consentId, Reference: 'r', InstructedAmount: { Amount: '1.00', Currency: 'GBP' } },
};

/** Asks while the bank and the database do this. @returns the outcome and the audit events */
async function askOf(isAvailable: () => Promise<boolean>, write: () => Promise<void> = async () => undefined) {
  const events: unknown[] = [];
  const database = {
    applicationName: 'api',
    query: async (_name: string, _sql: string, values: unknown[]) => {
      await write();
      events.push(values);
    },
  };
  const service = new FundsConfirmationsService(
    { find: async () => consent } as never,
    new FundsQuestionsService({ isAvailable } as never, database as never, clock as never),
    { baseUrl: 'https://bank.example' } as never,
    clock as never,
  );
  const accessToken = { clientId: 'c', psuId: 'p', consentId, scope: ['fundsconfirmations'] };
  const request = { body: Buffer.from(JSON.stringify(body)), interactionId: 'i', accessToken };
  const outcome: unknown = await service
    .create(createFundsConfirmationWire(accessVersion40), request as never)
    .catch((error: unknown) => error);
  return { outcome, events: JSON.stringify(events) };
}

const throwing = (error: Error) => async (): Promise<never> => {
  throw error;
};

describe('a funds confirmation', () => {
  it.each([
    new BankUnavailableError('The bank answered 500.'),
    new BankRefusedError('The bank answered 404.'),
    new BankAnswerError("The bank's answer has no usable isAvailable."),
  ])('is answered 503 and recorded with who asked: $name', async (error) => {
    const { outcome, events } = await askOf(throwing(error));
    expect(outcome).toBeInstanceOf(BodilessError);
    expect(outcome).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(events).toContain('funds.unanswered');
    expect(events).toContain(error.name);
    expect(events).not.toContain('isAvailable');
  });

  it('does not hide a fault of this service', async () => {
    const { outcome, events } = await askOf(throwing(new TypeError('ours')));
    expect(outcome).toBeInstanceOf(TypeError);
    expect(events).toBe('[]');
  });

  it('is answered, and recorded with the answer', async () => {
    const { outcome, events } = await askOf(async () => false);
    expect(outcome).toMatchObject({ Data: { FundsAvailable: false, ConsentId: consentId } });
    expect(events).toContain('funds.confirmed');
  });

  it.each([
    ['the answer', async () => true],
    ['who asked in vain', throwing(new BankUnavailableError('The bank answered 500.'))],
  ])('has no answer if it cannot be recorded: %s (PSD2 art. 65(6))', async (_what, isAvailable) => {
    const failure = new Error('The write failed.');
    const { outcome } = await askOf(isAvailable, throwing(failure));
    expect(outcome).toBe(failure);
  });
});
