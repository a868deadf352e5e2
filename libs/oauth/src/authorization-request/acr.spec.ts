import { describe, expect, it } from '@jest/globals';
import { AccessDeniedError } from '../errors/protocol-errors.js';
import { ACR_CA, ACR_SCA, resolveAcr } from './acr.js';

const requested = (values: string[], essential = true) => ({ values, essential });

describe('acr of the ID tokens (OIDC Core s5.5.1.1)', () => {
  it.each([
    ['no request', undefined, ACR_SCA, ACR_SCA],
    ['the requested one', requested([ACR_SCA]), ACR_SCA, ACR_SCA],
    ['one of the requested', requested([ACR_SCA, ACR_CA]), ACR_CA, ACR_CA],
    ['the weaker one, which the stronger satisfies', requested([ACR_CA]), ACR_SCA, ACR_CA],
    ['a voluntary one that was not reached', requested([ACR_SCA], false), ACR_CA, ACR_CA],
  ])('%s', (_, acr, performed, expected) => {
    expect(resolveAcr({ requested: acr, performed })).toBe(expected);
  });

  it('denies access when an essential acr was not reached', () => {
    expect(() => resolveAcr({ requested: requested([ACR_SCA]), performed: ACR_CA })).toThrow(AccessDeniedError);
  });
});
