export { findAccountFault, isSameAccount, normaliseSchemeName } from './account.js';
export type { AccountFault, AccountIdentification } from './account.js';
export { formatDateTime, londonDay, parseDateTime, withZone } from './date-time.js';
export { formatDecimal, isWholePence, parseAmount, parseDecimalNumber } from './decimal.js';
export { parseFileHash } from './file-hash.js';
export { defaultLocalInstrument, isLocalInstrument, localInstruments } from './local-instrument.js';
export type { LocalInstrument } from './local-instrument.js';
export { JsonFormatError, parseJson } from './parse-json.js';
export { isText } from './text.js';
