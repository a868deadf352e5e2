import { wordsAsSeen } from '#libs/obie-rules';
import { accepted, refused, type Checked } from '../checked.js';
import type { RegistrationContext } from './registration-context.js';

/**
 * The client name, and the name of the organisation for which it acts, must not be, or look like, one of the bank's own
 * names: only the bank may appear as "Sandbox Bank". The directory sets both, so the TPP cannot change them in a
 * request.
 */
export function verifyClientName({ software, reservedClientNames = [] }: RegistrationContext): Checked<undefined> {
  const isReserved = (shown = ''): boolean => reservedClientNames.some((name) => resembles(shown, name));
  if (isReserved(software.clientName)) return refuse('software_client_name');
  return isReserved(software.onBehalfOfOrg) ? refuse('software_on_behalf_of_org') : accepted(undefined);
}

const refuse = (claim: string): Checked<undefined> =>
  refused(`software_statement.${claim}`, 'is a name of this bank, or looks like one', 'unapproved_software_statement');

/**
 * @param reserved if it has several words, they must not occur together anywhere in the name; a single word must only
 * not be the whole name, because many legitimate names contain it
 */
function resembles(name: string, reserved: string): boolean {
  const [words, own] = [wordsAsSeen(name), wordsAsSeen(reserved)];
  const whole = own.join('');
  if (whole === '') return false;
  if (words.join('') === whole) return true;
  return own.length > 1 && hasRun(words, whole);
}

/** Ignores where words are separated: "Sand box Bank" has the words of "Sandbox Bank". */
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
