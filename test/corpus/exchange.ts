import type { Differences, TestTpp } from '../support/a-tpp.js';
import type { TestSandbox } from '../support/start-test-sandbox.js';

/** What the exchanges of the corpus are made with: one sandbox, two TPPs of different organisations. */
export interface CorpusWorld {
  readonly sandbox: TestSandbox;
  readonly tpp: TestTpp;
  readonly otherTpp: TestTpp;
}

/** A request as it leaves the TPP. */
export interface SentRequest extends Differences {
  readonly method: string;
  readonly path: string;
  /** of a POST */
  readonly body?: string | Buffer;
  /** who sends it, if not the first TPP */
  readonly sender?: TestTpp;
}

/** One request of the corpus, whose answer is recorded. Whatever it needs is made by itself: exchanges run in any order, several at once. */
export interface Exchange {
  /** says what is special about the request; there is one of each name in an area */
  readonly name: string;
  readonly prepare: () => SentRequest | Promise<SentRequest>;
}

/** Exchanges that are kept in one file. */
export interface Area {
  readonly name: string;
  readonly exchanges: (world: CorpusWorld) => readonly Exchange[] | Promise<readonly Exchange[]>;
}

/** @returns a function that makes a value when it is first wanted, and once */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
