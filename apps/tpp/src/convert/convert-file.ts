import type { Converted } from './converted-file.js';
import { convertPain001 } from './pain-001.js';
import { convertStandard18, isStandard18 } from './standard-18.js';
import { convertSupplierCsv } from './supplier-csv.js';

const converters = { csv: convertSupplierCsv, 'pain.001': convertPain001, 'standard-18': convertStandard18 } as const;

/** @param format undefined: detected from the text */
export function convertFile(text: string, format: keyof typeof converters = guess(text)): Converted {
  return converters[format](text);
}

function guess(text: string): keyof typeof converters {
  if (
    text
      .replace(/^\uFEFF/, '')
      .trimStart()
      .startsWith('<')
  )
    return 'pain.001';
  return isStandard18(text) ? 'standard-18' : 'csv';
}
