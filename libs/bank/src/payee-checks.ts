import { Injectable } from '@nestjs/common';
import { type BankAnswer, type BankCall, BankConnection } from './bank-connection.js';
import { BankAnswerError } from './bank.errors.js';
import { parseList, parseObject, parseText, parseWord } from './parse-bank-answer.js';
import type { AccountIdentification } from './payment-accounts.js';

/** A payee, by account, and by roll number if that identifies the payee. */
export interface PayeeAccount extends AccountIdentification {
  readonly secondaryIdentification?: string;
}

export interface NamedPayee extends PayeeAccount {
  readonly name: string;
}

/**
 * The answer of the payee's bank about a name (confirmation of payee). `Unavailable`: it does not take part, or did not
 * answer.
 */
export type NameCheck =
  | { readonly match: 'Match' | 'NoMatch' | 'Unavailable' }
  /** `name` is the account holder's, to be shown to the payer */
  | { readonly match: 'CloseMatch'; readonly name: string };

/** About the payees of one file, at most 150. */
interface PayeeQuery<Payee extends PayeeAccount> {
  readonly psuId: string;
  readonly payees: readonly Payee[];
  readonly call: BankCall;
}

/**
 * What a bank can tell a payer about payees in advance. Both operations are optional, and change nothing at the bank.
 * By the bank's API: deploy/bank-openapi.yaml, tag payees.
 */
@Injectable()
export class PayeeChecks {
  constructor(private readonly connection: BankConnection) {}

  /**
   * @returns one answer for each payee, in their order
   * @throws BankUnavailableError, BankRefusedError, BankAnswerError
   */
  async checkNames(query: PayeeQuery<NamedPayee>): Promise<readonly NameCheck[] | 'NotOffered'> {
    const answer = await this.#ask('checkPayeeNames', '/payee-name-checks', query);
    return answer.status === 404 ? 'NotOffered' : oneForEach(answer, 'results', query).map(parseNameCheck);
  }

  /**
   * @returns for each payee, in their order, whether the PSU has paid them before
   * @throws BankUnavailableError, BankRefusedError, BankAnswerError
   */
  async findKnown(query: PayeeQuery<PayeeAccount>): Promise<readonly boolean[] | 'NotOffered'> {
    const answer = await this.#ask('findKnownPayees', '/known-payees', query);
    if (answer.status === 404) return 'NotOffered';
    // Everything that is not clearly known counts as new, so a mistake of the bank shows too many new payees, not too
    // few.
    return oneForEach(answer, 'known', query).map((value) => value === true);
  }

  #ask(operation: string, path: string, { call, ...body }: PayeeQuery<PayeeAccount>): Promise<BankAnswer> {
    return this.connection.send({ operation, method: 'POST', path, body, isRead: true, expected: [200, 404], call });
  }
}

/** With another length, answers cannot be assigned to payees. */
function oneForEach({ body }: BankAnswer, member: string, { payees }: PayeeQuery<PayeeAccount>): readonly unknown[] {
  return parseList(body, member, payees.length, payees.length);
}

/** One invalid answer does not affect the others. */
function parseNameCheck(value: unknown): NameCheck {
  try {
    const check = parseObject(value, 'result');
    const match = parseWord(check, 'match', ['Match', 'CloseMatch', 'NoMatch', 'Unavailable']);
    return match === 'CloseMatch' ? { match, name: parseText(check, 'name', 140) } : { match };
  } catch (error) {
    if (error instanceof BankAnswerError) return { match: 'Unavailable' };
    throw error;
  }
}
