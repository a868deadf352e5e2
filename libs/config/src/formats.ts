import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import type { NamedKey } from '#libs/oauth';
import { parseCertificates } from './parse-pem-certificates.js';
import type { Format } from './setting.js';

export const refuse = (): never => {
  throw new TypeError('not of the format');
};

/** @returns a format of the texts that pass a test */
const tested = (values: string, must: string, isGood: (text: string) => boolean): Format<string> => ({
  values,
  must,
  parse: (text) => (isGood(text) ? text : refuse()),
});

/** A text with at least one character. */
export const text: Format<string> = tested('', 'must be given', (each) => each.trim() !== '');

export const matching = (pattern: RegExp, must: string): Format<string> =>
  tested('', must, (each) => pattern.test(each));

export const integer = (least: number, most: number): Format<number> => ({
  values: `${least} to ${most}`,
  must: `must be a whole number from ${least} to ${most}`,
  parse: (each) => (/^\d{1,10}$/.test(each) && +each >= least && +each <= most ? +each : refuse()),
});

export const flag: Format<boolean> = {
  values: '`true`, `false`',
  must: 'must be true or false',
  parse: (each) => (each === 'true' ? true : each === 'false' ? false : refuse()),
};

export const choice = <const W extends string>(...words: readonly W[]): Format<W> => ({
  values: words.map((word) => `\`${word}\``).join(', '),
  must: `must be ${words.join(' or ')}`,
  parse: (each) => words.find((word) => word === each) ?? refuse(),
});

const isEntry = (one: string, entry: RegExp | readonly string[]): boolean =>
  entry instanceof RegExp ? entry.test(one) : entry.includes(one);

/** Entries separated by commas. */
export const list = (entry: RegExp | readonly string[], must: string, separator = ','): Format<readonly string[]> => ({
  values: '',
  must,
  parse: (each) => {
    const entries = each === '' ? [] : each.split(separator).map((one) => one.trim());
    return entries.every((one) => isEntry(one, entry)) ? entries : refuse();
  },
});

/** An absolute https URL without query, fragment, user information or a slash at the end. */
export const httpsUrl: Format<string> = tested(
  'https:// address',
  'must be an https:// address without query and without a slash at the end',
  (each) => {
    if (!URL.canParse(each)) return false;
    const url = new URL(each);
    return url.protocol === 'https:' && !url.search && !url.hash && !url.username && !each.endsWith('/');
  },
);

/** Several servers in it are separated by commas. */
export const postgresUrl: Format<string> = tested('postgres:// address', 'must be a postgres:// address', (each) => {
  const [, start, hosts = '', rest = ''] = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(each) ?? [];
  return start !== undefined && hosts.split(',').every((host) => host !== '' && URL.canParse(`${start}${host}${rest}`));
});

function isAddressOrRange(entry: string): boolean {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(prefix ?? 0) <= (family === 4 ? 32 : 128);
}

export const addresses: Format<readonly string[]> = {
  values: 'addresses, ranges',
  must: 'must be IP addresses or ranges (192.0.2.0/24), separated by commas',
  parse: (each) => {
    const entries = each.split(',').map((entry) => entry.trim());
    return entries.every(isAddressOrRange) ? entries : refuse();
  },
};

/** Days: 0 keeps for ever. */
export const retention = (least: number): Format<number> => ({
  values: `0, or ${least} to 36500`,
  must: `must be 0, or from ${least} to 36500`,
  parse: (each) => (/^\d{1,5}$/.test(each) && (+each === 0 || (+each >= least && +each <= 36_500)) ? +each : refuse()),
});

/** The PEM certificates in a text, one each. */
export const certificates: Format<readonly string[]> = { values: '', parse: parseCertificates };

export const certificateText: Format<string> = { values: '', parse: (each) => (parseCertificates(each), each) };

export const privateKey: Format<string> = { values: '', parse: (each) => (createPrivateKey(each), each) };

/** `id:hex` or `hex` */
function parseNamedKey(entry: string): NamedKey {
  const [id = '', hex = ''] = entry.split(':');
  return { id, key: Buffer.from(hex, 'hex') };
}

/** Keys, each with an id; stored values name their key, so no two have the same id. */
export const namedKeys = (entry: RegExp, must: string): Format<readonly NamedKey[]> => ({
  values: '',
  must,
  parse: (each) => {
    const entries = each.split(',').map((one) => one.trim());
    if (!entries.every((one) => entry.test(one))) refuse();
    const keys = entries.map(parseNamedKey);
    return new Set(keys.map(({ id }) => id)).size === keys.length ? keys : refuse();
  },
});
