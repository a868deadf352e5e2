import { hashInstructions, type InstructionList, parseInstructionList } from './instruction-list.js';

/** What is stored of a list, and what its text hashed to when it was made or approved. */
export interface StoredInstructions {
  readonly instructions?: string | undefined;
  readonly approvalHash?: Buffer | undefined;
}

/** The stored list is not the one that was made or approved. */
export class InstructionsAlteredError extends Error {
  override readonly name = 'InstructionsAlteredError';
}

/**
 * Hashes the text anew each time: what is shown or handed over is what the hash says, whatever has become of the row.
 * @returns the list, which has its hash
 * @throws InstructionsAlteredError; NewerInstructionsError
 */
export function readInstructionList({ instructions, approvalHash }: StoredInstructions): InstructionList {
  if (instructions === undefined || !approvalHash || !hashInstructions(instructions).equals(approvalHash)) {
    throw new InstructionsAlteredError('The stored instructions differ from those that were accepted and approved.');
  }
  return parseInstructionList(instructions);
}
