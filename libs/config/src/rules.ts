import { isIP } from 'node:net';
import { ValidateBy, type ValidationOptions } from 'class-validator';

export { IsBoolean, IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

/** A string with at least one character. */
export function IsString(options?: ValidationOptions): PropertyDecorator {
  return rule('isString', 'must be given', (value) => typeof value === 'string' && value.trim() !== '', options);
}

/** An absolute https URL without query, fragment, user information or a slash at the end. */
export function IsHttpsUrl(options?: ValidationOptions): PropertyDecorator {
  return rule(
    'isHttpsUrl',
    'must be an https:// address without query and without a slash at the end',
    isHttpsUrl,
    options,
  );
}

/** A postgres:// or postgresql:// URL; several servers in it are separated by commas. */
export function IsPostgresUrl(options?: ValidationOptions): PropertyDecorator {
  return rule(
    'isPostgresUrl',
    'must be a postgres:// address',
    (value) => typeof value === 'string' && isPostgresUrl(value),
    options,
  );
}

/** IP addresses and CIDR ranges, separated by commas. */
export function IsAddressList(options?: ValidationOptions): PropertyDecorator {
  return rule(
    'isAddressList',
    'must be IP addresses or ranges (192.0.2.0/24), separated by commas',
    (value) => typeof value === 'string' && value.split(',').every((entry) => isAddressOrRange(entry.trim())),
    options,
  );
}

/** Days for which audit events are kept: 0 forever, else more than a year. */
export function IsRetention(options?: ValidationOptions): PropertyDecorator {
  return rule(
    'isRetention',
    'must be 0, or from 366 to 36500',
    (value) => value === 0 || (typeof value === 'number' && value >= 366 && value <= 36_500),
    options,
  );
}

function isAddressOrRange(entry: string): boolean {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(prefix ?? 0) <= (family === 4 ? 32 : 128);
}

function isPostgresUrl(value: string): boolean {
  const [, start, hosts = '', rest = ''] = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(value) ?? [];
  return start !== undefined && hosts.split(',').every((host) => host !== '' && URL.canParse(`${start}${host}${rest}`));
}

function isHttpsUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.protocol === 'https:' && !url.search && !url.hash && !url.username && !value.endsWith('/');
}

function rule(
  name: string,
  message: string,
  validate: (value: unknown) => boolean,
  options?: ValidationOptions,
): PropertyDecorator {
  return ValidateBy({ name, validator: { validate, defaultMessage: () => `$property ${message}` } }, options);
}
