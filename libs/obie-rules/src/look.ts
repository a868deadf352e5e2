import unhomoglyph from 'unhomoglyph';

/**
 * @returns the words of a name as they look: without accents, case and compatibility forms, look-alikes of other
 * scripts and digits as one (UTS 39 s4)
 */
export function wordsAsSeen(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  // Look-alikes of both cases. A capital I looks like a small l, so these two letters count as one.
  const skeleton = unhomoglyph(unhomoglyph(plain).toLowerCase()).toLowerCase().replaceAll('i', 'l');
  return skeleton.match(/[\p{L}\p{N}]+/gu) ?? [];
}
