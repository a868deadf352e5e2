import type { ApiVersion } from '../read-write/api-version.js';
import {
  type Converted,
  createConvertedFile,
  type Fault,
  findTextFaults,
  mostFaults,
  type SupplierPayment,
} from './converted-file.js';

/** The faults of a text, and what in it a payment file does not carry. */
export class Findings {
  readonly #faults: Fault[] = [];
  readonly #notCarried = new Map<string, Fault>();

  get areFaults(): boolean {
    return this.#faults.length > 0;
  }

  fail(line: number, message: string): void {
    this.#faults.push({ line, message });
  }

  /**
   * Names what is not carried, once, with the first line that has it.
   * @param cure what to do about it
   */
  notCarried(line: number, what: string, cure?: string): void {
    if (this.#notCarried.has(what)) return;
    this.#notCarried.set(what, { line, message: `${what} is not carried${cure === undefined ? '' : `: ${cure}`}.` });
  }

  /** @returns the file of the payments, or the faults of the text and of its payments */
  convert(
    payments: readonly { line: number; payment: SupplierPayment }[],
    { version, localInstrument, execution }: FileTerms,
  ): Converted {
    for (const { line, payment } of payments) this.#faults.push(...findTextFaults(payment, line, version));
    if (this.areFaults) return { faults: inOrder(this.#faults) };
    // Items of 3.1 have a date; in 4.0 only the consent has one.
    const date = version === '3.1' ? execution?.date : undefined;
    if (execution !== undefined && date === undefined)
      this.notCarried(execution.line, `The execution date ${execution.date}`, 'name it in the consent (--date)');
    const converted = createConvertedFile(
      payments.map(({ payment }) => payment),
      { version, localInstrument, date },
    );
    return {
      ...converted,
      lines: payments.map(({ line }) => line),
      warnings: inOrder([...this.#notCarried.values()]),
    };
  }
}

/** What all payments of a file have in common. */
interface FileTerms {
  readonly version: ApiVersion;
  /** default: Faster Payments */
  readonly localInstrument?: string;
  /** `YYYY-MM-DD`, and where the text says so */
  readonly execution?: { readonly line: number; readonly date: string } | undefined;
}

const inOrder = (faults: readonly Fault[]): Fault[] =>
  faults.toSorted((one, other) => one.line - other.line).slice(0, mostFaults);

/** The beginning of a text, for a message; control characters are escaped. */
export const quoted = (text: string): string => JSON.stringify(text.slice(0, 35));

export const payerCure = 'the customer chooses the account to pay from';

/** Only these countries have sort codes. */
export const isForeignBic = (bic: string): boolean => !/^.{4}(?:GB|GG|JE|IM)/i.test(bic);
