import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { readLedger, type LedgerEntry } from './consent-ledger.js';

const lookMilliseconds = 400;
const mostEntries = 10;

/** Reads the consents while somebody has the board open, and emits each change. */
export class LedgerWatch extends EventEmitter<{ changed: [readonly LedgerEntry[]] }> {
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #shown = '';

  constructor(
    private readonly pool: Pool,
    private readonly log: Logger,
  ) {
    super();
    this.setMaxListeners(0);
  }

  /** @returns what ends it */
  watch(listener: (ledger: readonly LedgerEntry[]) => void): () => void {
    this.on('changed', listener);
    this.#start();
    return () => void this.off('changed', listener);
  }

  read(): Promise<LedgerEntry[]> {
    return readLedger(this.pool, mostEntries);
  }

  /** Stops reading, and waits for a read under way. */
  async stop(): Promise<void> {
    this.removeAllListeners();
    clearInterval(this.#timer);
    await this.#looking;
  }

  #start(): void {
    this.#timer ??= setInterval(() => {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined;
      });
    }, lookMilliseconds).unref();
  }

  async #look(): Promise<void> {
    if (this.listenerCount('changed') === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    try {
      const ledger = await this.read();
      const shown = JSON.stringify(ledger);
      if (shown === this.#shown) return;
      this.#shown = shown;
      this.emit('changed', ledger);
    } catch (error) {
      this.log.warn({ err: error }, 'The portal could not read the consents.');
    }
  }
}
