const mostBytes = 65_536;

/** What an SVG must not have: each could run, load or show foreign content. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/<!(?:DOCTYPE|ENTITY|ATTLIST)/i, 'has a document type'],
  [/<\?(?!xml[\s?])/i, 'has a processing instruction'],
  [/<(?:[\w.-]+:)?script\b/i, 'has a script'],
  [/<(?:[\w.-]+:)?foreignObject\b/i, 'has a foreignObject'],
  [
    /<(?:[\w.-]+:)?(?:iframe|object|embed|audio|video|a|animate|set|handler|listener)\b/i,
    'has an element that runs code or leads elsewhere',
  ],
  [/[\s"'/]on[a-z]+\s*=/i, 'has an event handler'],
  [
    /\b(?:href|src)\s*=\s*(?:"(?!#|data:image\/(?:png|jpeg|webp);base64,)|'(?!#|data:image\/(?:png|jpeg|webp);base64,)|[^"'\s])/i,
    'refers to something outside it',
  ],
  [/url\(\s*["']?(?!["']?#)/i, 'refers to something outside it'],
  [/@import|javascript:/i, 'refers to something outside it'],
];

/** @returns why a logo cannot be shown, if so */
export function findLogoFault(logo: string): string | undefined {
  if (Buffer.byteLength(logo) > mostBytes) return `is larger than ${mostBytes} bytes`;
  // Entities could hide the forbidden parts.
  if (/&#?\w+;/.test(logo.replace(/&(?:amp|lt|gt|quot|apos);/g, ''))) return 'has a character reference';
  if (!/^(?:\uFEFF?<\?xml[^>]*\?>)?\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<svg[\s>][\s\S]*<\/svg>\s*$/.test(logo))
    return 'is not an SVG';
  return forbidden.find(([pattern]) => pattern.test(logo))?.[1];
}
