import { describe, expect, it } from '@jest/globals';
import { KeySetError } from './directory.errors.js';
import { verifyKeySetAddress } from './key-set-address.js';
import { isPublicAddress } from './public-address.js';

const rules = {
  keyHosts: ['keystore.directory.test', 'keys.example:8444', '10.0.0.1', '[::1]:444'],
  allowPrivateAddresses: false,
};

describe('verifyKeySetAddress', () => {
  it.each([
    'https://keystore.directory.test/a/b.jwks',
    'https://KEYSTORE.directory.test:443/a',
    'https://keys.example:8444/x?y=1',
  ])('accepts %s', (uri) => {
    expect(verifyKeySetAddress(uri, rules).protocol).toBe('https:');
  });

  it.each([
    'http://keystore.directory.test/a',
    'https://keystore.directory.test:8443/a',
    'https://keys.example/a',
    'https://evil.test/keystore.directory.test',
    'https://keystore.directory.test.evil.test/',
    'https://keystore.directory.test@evil.test/',
    'https://user@keystore.directory.test/',
    'https://keystore.directory.test\\@evil.test/',
    'https:\\\\keystore.directory.test\\a',
    'https:keystore.directory.test/a',
    'https:///keystore.directory.test/a',
    'https://keystore.directory.test/a b',
    'https://keystore.directory.test/\n',
    'https://keystore.directory.test/#a',
    'https://10.0.0.1/a',
    'https://[::1]:444/a',
    'https://0x0a000001/a',
    'file:///etc/passwd',
    '',
    'keystore',
    `https://keystore.directory.test/${'a'.repeat(2_000)}`,
  ])('refuses %s', (uri) => {
    expect(() => verifyKeySetAddress(uri, rules)).toThrow(KeySetError);
  });

  it('accepts a private address where the configuration allows it', () => {
    expect(verifyKeySetAddress('https://10.0.0.1/a', { ...rules, allowPrivateAddresses: true }).host).toBe('10.0.0.1');
  });
});

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '172.32.0.1', '100.128.0.1'])('takes %s for public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    'fec0::1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '',
    'localhost',
    '127.1',
    '::7f00:1',
  ])('does not take %s for public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
