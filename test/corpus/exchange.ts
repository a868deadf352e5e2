import type { ApiVersion } from '../support/a-payment-file.js';
import type { Differences, TestTpp } from '../support/a-tpp.js';
import type { TestSandbox } from '../support/start-test-sandbox.js';

/** The setup of the exchanges: one sandbox, two TPPs of different organisations. */
export interface CorpusWorld {
  readonly sandbox: TestSandbox;
  readonly tpp: TestTpp;
  readonly otherTpp: TestTpp;
}

/** A request as the TPP sends it. */
export interface SentRequest extends Differences {
  readonly method: string;
  readonly path: string;
  /** of a POST */
  readonly body?: string | Buffer;
  /** who sends it, if not the first TPP */
  readonly sender?: TestTpp;
}

/**
 * One request of the corpus, whose answer is recorded. Each exchange creates everything that it needs, because
 * exchanges run in any order, several at once.
 */
export interface Exchange {
  /** describes the request; unique within an area */
  readonly name: string;
  readonly prepare: () => SentRequest | Promise<SentRequest>;
}

export const exchange = (name: string, prepare: Exchange['prepare']): Exchange => ({ name, prepare });

/** The exchanges of one file. */
export interface Area {
  readonly name: string;
  readonly version: ApiVersion;
  readonly exchanges: (world: CorpusWorld) => readonly Exchange[] | Promise<readonly Exchange[]>;
}

/** @returns a function that makes a value once, when it is first needed */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
