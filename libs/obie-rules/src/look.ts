import unhomoglyph from 'unhomoglyph';

/**
 * @returns the words of a name as they look: without accents, case and compatibility forms, look-alikes of other
 * scripts and digits as one (UTS 39 s4)
 */
export function wordsAsSeen(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  // Look-alikes of both cases. A capital I looks like a small l, so these two letters count as one.
  const skeleton = skeletonOf(skeletonOf(plain).toLowerCase()).toLowerCase().replaceAll('i', 'l');
  return skeleton.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** What each character of ASCII looks like. The pattern of all look-alikes takes far longer, and few names need it. */
const ofAscii = Array.from({ length: 0x80 }, (_, code) => unhomoglyph(String.fromCharCode(code)));

function skeletonOf(text: string): string {
  let skeleton = '';
  for (let index = 0; index < text.length; index += 1) {
    const seenAs = ofAscii[text.charCodeAt(index)];
    if (seenAs === undefined) return unhomoglyph(text);
    skeleton += seenAs;
  }
  return skeleton;
}
