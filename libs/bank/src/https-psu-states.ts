import { Injectable } from '@nestjs/common';
import { BankConnection } from './bank-connection.js';
import { parseWord } from './parse-bank-answer.js';
import type { BankCall } from './psu-authentication.js';
import { PsuStates, type PsuState } from './psu-states.js';

const states: readonly PsuState[] = ['Active', 'Locked', 'Closed'];

/** States of customers through the bank's API (deploy/bank-openapi.yaml, findPsuState). */
@Injectable()
export class HttpsPsuStates extends PsuStates {
  readonly #connection: BankConnection;
  /** questions that wait for their answers, by customer */
  readonly #waiting = new Map<string, Promise<PsuState | 'NotOffered'>>();

  constructor(connection: BankConnection) {
    super();
    this.#connection = connection;
  }

  /** Those who ask of the same customer at the same time hear the same answer. */
  override findState({ psuId, call }: { psuId: string; call: BankCall }): Promise<PsuState | 'NotOffered'> {
    const waiting = this.#waiting.get(psuId);
    if (waiting !== undefined) return waiting;
    const asked = this.#ask(psuId, call).finally(() => this.#waiting.delete(psuId));
    this.#waiting.set(psuId, asked);
    return asked;
  }

  async #ask(psuId: string, call: BankCall): Promise<PsuState | 'NotOffered'> {
    const { status, body } = await this.#connection.send({
      operation: 'findPsuState',
      method: 'GET',
      path: `/psus/${encodeURIComponent(psuId)}/state`,
      isShared: true,
      expected: [200, 404],
      call,
    });
    return status === 404 ? 'NotOffered' : parseWord(body, 'state', states);
  }
}
