import { Injectable } from '@nestjs/common';
import { type BankCall, BankConnection } from './bank-connection.js';
import { parseWord } from './parse-bank-answer.js';

/**
 * The status of a customer at the bank. `Locked`: nothing may be done on this customer's behalf for now. `Closed`:
 * never again. The short pause after wrong passwords is neither.
 */
export type PsuState = 'Active' | 'Locked' | 'Closed';

const states: readonly PsuState[] = ['Active', 'Locked', 'Closed'];

/** The status of customers at the bank, long after they have signed in (deploy/bank-openapi.yaml, findPsuState). */
@Injectable()
export class PsuStates {
  /** questions that have not been sent yet, by customer */
  readonly #planned = new Map<string, Promise<PsuState | 'NotOffered'>>();

  constructor(private readonly connection: BankConnection) {}

  /**
   * Calls about the same customer in one turn of the event loop share a question. It is sent after that turn, so that
   * no call gets an answer to an earlier question: the bank may have closed the customer since.
   * @returns 'NotOffered' if the bank has no such operation: every customer counts as active
   * @throws BankUnavailableError, BankRefusedError, BankAnswerError
   */
  findState({ psuId, call }: { psuId: string; call: BankCall }): Promise<PsuState | 'NotOffered'> {
    const planned = this.#planned.get(psuId);
    if (planned !== undefined) return planned;
    const asked = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#planned.delete(psuId);
      return this.#ask(psuId, call);
    });
    this.#planned.set(psuId, asked);
    return asked;
  }

  async #ask(psuId: string, call: BankCall): Promise<PsuState | 'NotOffered'> {
    const { status, body } = await this.connection.send({
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
