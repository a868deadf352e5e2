import type { ApiVersion } from '../read-write/api-version.js';
import { type Converted, refuse } from './converted-file.js';
import { decodeText } from './decode-text.js';
import { convertPain001 } from './pain-001.js';
import { convertStandard18, isStandard18 } from './standard-18.js';
import { convertSupplierCsv } from './supplier-csv.js';

const converters = { csv: convertSupplierCsv, 'pain.001': convertPain001, 'standard-18': convertStandard18 } as const;

const isJson = 'This is JSON. A payment file needs no conversion: "obp tpp check-file" checks it.';

/**
 * @param format undefined: detected from the text
 * @param version of the Read/Write API, whose members the file has
 */
export function convertFile(bytes: Buffer, format?: keyof typeof converters, version: ApiVersion = '3.1'): Converted {
  const text = decodeText(bytes);
  if (typeof text !== 'string') return text;
  if (format === undefined && text.trimStart().startsWith('{')) return refuse(1, isJson);
  return converters[format ?? guess(text)](text, version);
}

function guess(text: string): keyof typeof converters {
  if (text.trimStart().startsWith('<')) return 'pain.001';
  return isStandard18(text) ? 'standard-18' : 'csv';
}
