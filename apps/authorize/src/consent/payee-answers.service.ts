import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { PayeeChecks, type BankCall, type NameCheck } from '#libs/bank';
import type { ListedPayment } from '#libs/payment-order';

/** The bank's answers about the payees of a file, by their place in the list. Undefined: the bank does not offer it. */
export interface PayeeAnswers {
  readonly names?: readonly NameCheck[] | 'Unavailable' | undefined;
  readonly known?: readonly boolean[] | 'Unavailable' | undefined;
}

interface AskedFile {
  readonly payments: readonly ListedPayment[];
  readonly approvalHash: Buffer;
}

type Question = 'names' | 'known';
type AnswerTo<Kind extends Question> = Exclude<PayeeAnswers[Kind], undefined> | 'NotOffered';

/** A page waits no longer; a later answer is on the reloaded page. */
const patienceMilliseconds = 2_500;
/** Long enough to read and come back. Only the answers are kept, in memory, without payees. */
const keptMilliseconds = 600_000;
/** How long the bank is not asked after a failure. */
const failureMilliseconds = 30_000;
/** Each is at most 150 short answers. */
const mostFiles = 500;

/**
 * Asks the bank about the payees of a file, once for each file and customer, not for each page. A failure never
 * prevents the page.
 */
@Injectable()
export class PayeeAnswersDesk {
  readonly #logger = new Logger(PayeeAnswersDesk.name);
  readonly #asked = new LRUCache<string, Promise<unknown>>({ max: mostFiles * 2, ttl: keptMilliseconds });
  /** until when a question is not asked, because the bank does not offer it */
  readonly #unofferedUntil = new Map<Question, number>();

  constructor(private readonly checks: PayeeChecks) {}

  /** Never fails, and takes no longer than a page may wait. */
  async find(asked: { psuId: string; file: AskedFile; call: BankCall }): Promise<PayeeAnswers> {
    const { psuId, file, call } = asked;
    const payees = file.payments.map(({ payeeName, payeeAccount }) => {
      const { scheme, identification, secondaryIdentification } = payeeAccount;
      const account = {
        schemeName: scheme,
        identification,
        ...(secondaryIdentification && { secondaryIdentification }),
      };
      return { name: payeeName, account };
    });
    const [names, known] = await Promise.all([
      this.#ask('names', asked, () => {
        const named = payees.map(({ name, account }) => ({ ...account, name }));
        return this.checks.checkNames({ psuId, payees: named, call });
      }),
      this.#ask('known', asked, () =>
        this.checks.findKnown({ psuId, payees: payees.map(({ account }) => account), call }),
      ),
    ]);
    return { names, known };
  }

  async #ask<Kind extends Question>(
    kind: Kind,
    { psuId, file, call }: { psuId: string; file: AskedFile; call: BankCall },
    question: () => Promise<AnswerTo<Kind>>,
  ): Promise<Exclude<AnswerTo<Kind>, 'NotOffered'> | 'Unavailable' | undefined> {
    if ((this.#unofferedUntil.get(kind) ?? 0) > performance.now()) return undefined;
    const key = JSON.stringify([kind, psuId, file.approvalHash.toString('base64url')]);
    const before = this.#asked.get(key) as Promise<AnswerTo<Kind> | 'Unavailable'> | undefined;
    const answer = before ?? this.#put(kind, key, { question, call });
    const found = await Promise.race([answer, sleep(patienceMilliseconds, 'Unavailable' as const, { ref: false })]);
    return found === 'NotOffered' ? undefined : (found as Exclude<AnswerTo<Kind>, 'NotOffered'> | 'Unavailable');
  }

  #put<Kind extends Question>(
    kind: Kind,
    key: string,
    { question, call }: { question: () => Promise<AnswerTo<Kind>>; call: BankCall },
  ): Promise<AnswerTo<Kind> | 'Unavailable'> {
    const answer = question().then(
      (found) => {
        if (found === 'NotOffered') this.#unofferedUntil.set(kind, performance.now() + keptMilliseconds);
        return found;
      },
      (error: unknown) => {
        this.#asked.set(key, answer, { ttl: failureMilliseconds });
        const { interactionId } = call;
        this.#logger.warn({
          message: `The bank did not answer a question about payees (${kind}).`,
          interactionId,
          error,
        });
        return 'Unavailable' as const;
      },
    );
    this.#asked.set(key, answer);
    return answer;
  }
}
