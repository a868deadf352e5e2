import unhomoglyph from 'unhomoglyph';
import { accepted, refused, type Checked } from '../checked.js';
import type { RegistrationContext } from './registration-context.js';

/**
 * The name that customers read is not one of the bank's own, nor looks like one: "Sandbox Bank asks you to approve" must not come from anybody
 * else. It is the directory's text, so no other request of the TPP's makes it good.
 */
export function verifyClientName({ software, reservedClientNames = [] }: RegistrationContext): Checked<undefined> {
  const isReserved = reservedClientNames.some((name) => resembles(software.clientName, name));
  return isReserved
    ? refused(
        'software_statement.software_client_name',
        'is a name of this bank, or looks like one',
        'unapproved_software_statement',
      )
    : accepted(undefined);
}

/**
 * @param reserved of several words: they must not stand together anywhere in the name; a single word alone must not be the whole name, because
 *   many honest names have it among others
 */
function resembles(name: string, reserved: string): boolean {
  const [words, own] = [wordsOf(name), wordsOf(reserved)];
  const whole = own.join('');
  if (whole === '') return false;
  if (words.join('') === whole) return true;
  return own.length > 1 && hasRun(words, whole);
}

/** However the words are parted: "Sand box Bank" has the words of "Sandbox Bank". */
function hasRun(words: readonly string[], whole: string): boolean {
  return words.some((_, start) => {
    let run = '';
    for (const word of words.slice(start)) {
      run += word;
      if (run.length >= whole.length) break;
    }
    return run === whole;
  });
}

/** The words as they look: without accents, case and compatibility forms, look-alikes of other scripts and digits as one (UTS 39 s4). */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  // Look-alikes of both cases. A capital I looks like a small l, so these two letters count as one.
  const skeleton = unhomoglyph(unhomoglyph(plain).toLowerCase()).toLowerCase().replaceAll('i', 'l');
  return skeleton.match(/[\p{L}\p{N}]+/gu) ?? [];
}
