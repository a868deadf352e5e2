import { type Initiation, readFileTerms } from '#libs/consent';
import { defaultLocalInstrument, isLocalInstrument, parseStoredJson } from '#libs/obie-rules';
import { FaultList } from './fault-list.js';
import {
  createInstructionList,
  hashInstructions,
  type InstructionList,
  parseInstructionList,
  type WrittenInstructionList,
  writeInstructionList,
} from './instruction-list.js';
import { readAcceptedPayments } from './parse-payment-file.js';
import { readWholeFile, withWholeFile } from './whole-file.js';

/** What is stored of a file that was taken: its list, or of a file that the previous version took, its octets. */
export interface StoredInstructions {
  readonly instructions?: string | undefined;
  /** what the list hashed to when it was made or approved */
  readonly approvalHash?: Buffer | undefined;
  readonly file?: Buffer | undefined;
  /** Data.Initiation of the consent, JSON text */
  readonly initiation: string;
  /** type of all payments */
  readonly localInstrument?: string | undefined;
}

/** A list that was read. */
export interface FoundInstructionList {
  readonly list: InstructionList;
  /** SHA-256 of its text */
  readonly approvalHash: Buffer;
  /** there was none yet, and it was made from the file: to be stored with the approval */
  readonly made?: WrittenInstructionList;
}

/** The stored list is not the one that was made or approved. */
export class InstructionsAlteredError extends Error {
  override readonly name = 'InstructionsAlteredError';
}

/**
 * @returns the list, which has its hash
 * @throws InstructionsAlteredError; NewerInstructionsError; TypeError or JsonFormatError if a file cannot be read
 * completely
 */
export function readInstructionList(stored: StoredInstructions): FoundInstructionList {
  const { instructions, approvalHash, file } = stored;
  if (approvalHash === undefined) {
    if (file === undefined) throw new TypeError('The consent has neither a list of instructions nor a file.');
    return makeInstructionList(file, stored);
  }
  // Hashed anew each time: what is shown or handed over is what the hash says, whatever has become of the row.
  if (instructions === undefined || !hashInstructions(instructions).equals(approvalHash)) {
    throw new InstructionsAlteredError('The stored instructions differ from those that were accepted and approved.');
  }
  return { list: parseInstructionList(instructions), approvalHash };
}

function makeInstructionList(file: Buffer, stored: StoredInstructions): FoundInstructionList {
  const initiation = JSON.parse(stored.initiation) as Initiation;
  const terms = readFileTerms(initiation);
  const named = stored.localInstrument ?? terms.localInstrument ?? defaultLocalInstrument;
  const localInstrument = isLocalInstrument(named) ? named : defaultLocalInstrument;
  const { fileType, requestedDay } = terms;
  const document = parseStoredJson(file) as Record<string, unknown>;
  const payments = readAcceptedPayments(document, { fileType, localInstrument });
  const faults = new FaultList();
  const wholeFile = readWholeFile(initiation, faults);
  if (faults.count > 0) throw new TypeError('The consent cannot be read completely.');
  const list = createInstructionList({
    payments: withWholeFile(payments, wholeFile),
    localInstrument,
    requestedDay,
  });
  const made = writeInstructionList(list);
  return { list, approvalHash: made.approvalHash, made };
}
