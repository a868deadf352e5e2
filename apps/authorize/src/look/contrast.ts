/** Text in any size (WCAG 2.2, 1.4.3). */
export const leastContrast = 4.5;

/** @param colour #rrggbb; @returns its relative luminance (WCAG 2.2) */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @returns the contrast of two colours, from 1 to 21 */
export function contrastOf(one: string, other: string): number {
  const [brighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].sort((first, second) => second - first);
  return (brighter + 0.05) / (darker + 0.05);
}

/** @param share of the other colour, from 0 to 1 */
export function mix(colour: string, other: string, share: number): string {
  const others = channelsOf(other);
  const mixed = channelsOf(colour).map((value, index) => value + ((others[index] ?? 0) - value) * share);
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

/** @returns the colour, lightened until it is readable on a dark one */
export function lightenFor(colour: string, background: string): string {
  for (let share = 0; share < 1; share += 0.05) {
    const lighter = mix(colour, '#ffffff', share);
    if (contrastOf(lighter, background) >= leastContrast) return lighter;
  }
  return '#ffffff';
}

const channelsOf = (colour: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
