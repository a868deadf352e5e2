import { Injectable } from '@nestjs/common';
import { BankConnection, type BankAnswer } from './bank-connection.js';
import { BankAnswerError } from './bank.errors.js';
import { parseObject, parseText, parseWord } from './parse-bank-answer.js';
import { PayeeChecks, type NameCheck, type NamedPayee, type PayeeAccount } from './payee-checks.js';
import type { BankCall } from './psu-authentication.js';

/** Checks of payees through the bank's API (deploy/bank-openapi.yaml, tag payees). */
@Injectable()
export class HttpsPayeeChecks extends PayeeChecks {
  constructor(private readonly connection: BankConnection) {
    super();
  }

  override async checkNames(query: {
    psuId: string;
    payees: readonly NamedPayee[];
    call: BankCall;
  }): Promise<readonly NameCheck[] | 'NotOffered'> {
    const { status, body } = await this.#ask('checkPayeeNames', '/payee-name-checks', query);
    return status === 404 ? 'NotOffered' : parseList(body, 'results', query.payees.length).map(parseNameCheck);
  }

  override async findKnown(query: {
    psuId: string;
    payees: readonly PayeeAccount[];
    call: BankCall;
  }): Promise<readonly boolean[] | 'NotOffered'> {
    const { status, body } = await this.#ask('findKnownPayees', '/known-payees', query);
    if (status === 404) return 'NotOffered';
    // Everything that is not clearly known counts as new, so a mistake of the bank shows too many new payees, not too
    // few.
    return parseList(body, 'known', query.payees.length).map((value) => value === true);
  }

  #ask(
    operation: string,
    path: string,
    { psuId, payees, call }: { psuId: string; payees: readonly PayeeAccount[]; call: BankCall },
  ): Promise<BankAnswer> {
    const body = { psuId, payees };
    return this.connection.send({ operation, method: 'POST', path, body, isRead: true, expected: [200, 404], call });
  }
}

function parseList(body: BankAnswer['body'], member: string, length: number): unknown[] {
  const list = body[member];
  // With another length, answers cannot be assigned to payees.
  if (!Array.isArray(list) || list.length !== length) {
    throw new BankAnswerError(`The bank's answer has no usable ${member}.`);
  }
  return list;
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
