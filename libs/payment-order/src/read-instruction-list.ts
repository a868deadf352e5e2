import { hashInstructions, type InstructionList, parseInstructionList } from './instruction-list.js';

/** A stored list, and the hash of its text when it was made or approved. */
export interface StoredInstructions {
  readonly instructions?: string | undefined;
  readonly approvalHash?: Buffer | undefined;
}

/** The stored list is not the one that was made or approved. */
export class InstructionsAlteredError extends Error {
  override readonly name = 'InstructionsAlteredError';
}

/**
 * Hashes the text each time, so that only the approved list is shown or handed over, whatever happened to the row.
 * @returns the list that has the hash
 * @throws InstructionsAlteredError; NewerInstructionsError
 */
export function readInstructionList({ instructions, approvalHash }: StoredInstructions): InstructionList {
  if (instructions === undefined || !approvalHash || !hashInstructions(instructions).equals(approvalHash)) {
    throw new InstructionsAlteredError('The stored instructions differ from those that were accepted and approved.');
  }
  return parseInstructionList(instructions);
}
