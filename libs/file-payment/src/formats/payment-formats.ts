import { format31 } from './format-3-1.js';
import { format40 } from './format-4-0.js';
import type { PaymentFormat } from './payment-format.js';

const formats: ReadonlyMap<string, PaymentFormat> = new Map(
  [format31, format40].map((format) => [format.fileType, format]),
);

/** @returns the format of a consent's file; a version with only one format accepts no other FileType */
export function formatOf(fileType: string | undefined): PaymentFormat {
  return (fileType === undefined ? undefined : formats.get(fileType)) ?? format31;
}
