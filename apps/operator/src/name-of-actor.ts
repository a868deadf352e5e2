import { hiddenCharacter } from '#libs/obie-rules';

const hiddenCharacters = new RegExp(hiddenCharacter.source, 'gu');

/** @returns the name as it is compared and recorded: case, and what nobody sees, do not make it another person's */
export function nameOfActor(name: string): string {
  return name.normalize('NFKC').replace(hiddenCharacters, '').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
