import { describe, expect, it } from '@jest/globals';
import { parseFurtherDirectories } from './further-directories.js';

const directory = {
  issuer: 'OpenBanking Ltd',
  jwks_uri: 'https://keystore.example/keys',
  key_hosts: ['keystore.example'],
};
const parse = (changes: Record<string, unknown>) =>
  parseFurtherDirectories(JSON.stringify([{ ...directory, ...changes }]));

describe('a further directory', () => {
  it('is read as written, without absent members', () => {
    expect(parse({ environments: ['sandbox'] })).toEqual([
      {
        issuer: 'OpenBanking Ltd',
        jwksUri: 'https://keystore.example/keys',
        keyHosts: ['keystore.example'],
        environments: ['sandbox'],
      },
    ]);
  });

  // An empty issuer would match every software statement without one; an empty host would match every key.
  it.each(['', ' ', '\t\n', 7, null, ['x']].map((text) => [text]))('is refused with the text %j', (text) => {
    for (const member of ['issuer', 'jwks_uri', 'ca', 'client_trust_anchors']) {
      expect(() => parse({ [member]: text })).toThrow('not a text');
    }
    for (const member of ['key_hosts', 'environments']) {
      expect(() => parse({ [member]: ['keystore.example', text] })).toThrow('not a text');
    }
  });

  it.each(['key_hosts', 'environments'])('is refused with an empty %s', (member) => {
    for (const list of [[], '', {}]) expect(() => parse({ [member]: list })).toThrow('not an array of texts');
  });

  it.each(['issuer', 'jwks_uri', 'key_hosts'])('has %s', (member) => {
    expect(() => parse({ [member]: undefined })).toThrow(TypeError);
  });

  it.each(['http://keystore.example/keys', 'keystore.example', 'file:///keys'])(
    'is refused with keys at %s',
    (jwks_uri) => {
      expect(() => parse({ jwks_uri })).toThrow('not an https address');
    },
  );

  it.each(['{}', '"x"', '[7]', '[null]', '[[]]', '[{"issuer":"x","trust":"all"}]', 'x'])('is refused as %s', (text) => {
    expect(() => parseFurtherDirectories(text)).toThrow();
  });
});
