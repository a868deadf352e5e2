import { describe, expect, it } from '@jest/globals';
import { createSoftware } from './software.js';
import { softwareStatementClaims } from './software-statement.js';

const now = new Date('2026-11-21T09:00:00Z');
const redirectUris = ['https://tpp-one.example.com/callback'];
const software = createSoftware({ name: 'TPP One', redirectUris, keyType: 'rsa', now });

describe('the software statement of the sandbox directory', () => {
  it('has the claims of the Open Banking directory, which include no exp', () => {
    const claims = softwareStatementClaims({ software, directoryUrl: 'https://localhost:8444', now });
    expect(claims).toMatchObject({
      iss: 'OpenBanking Sandbox Directory',
      iat: 1_795_251_600,
      software_redirect_uris: redirectUris,
      software_roles: ['AISP', 'PISP', 'CBPII'],
      software_jwks_endpoint: `https://localhost:8444/${software.orgId}/${software.softwareId}.jwks`,
      org_jwks_endpoint: `https://localhost:8444/${software.orgId}/${software.orgId}.jwks`,
      org_status: 'Active',
      organisation_competent_authority_claims: { authority_id: 'FCAGBR', registration_id: software.registrationId },
    });
    expect(claims).not.toHaveProperty('exp');
  });

  it.each([
    [undefined, null],
    ['Shop Ltd', 'Shop Ltd'],
  ])('says for whom an agent acts: %j', (onBehalfOf, expected) => {
    const agent = createSoftware({ name: 'TPP One', redirectUris, keyType: 'rsa', onBehalfOf, now });
    const claims = softwareStatementClaims({ software: agent, directoryUrl: 'https://localhost:8444', now });
    expect(claims['software_on_behalf_of_org']).toBe(expected);
  });
});

describe('enrolling a TPP', () => {
  it('gives ids in the form of the directory, and each TPP its own organisation', () => {
    const other = createSoftware({ name: 'TPP One', redirectUris, keyType: 'ec', now });
    expect(software.orgId).toMatch(/^[0-9A-Za-z]{18}$/);
    expect(software.softwareId).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(other.orgId).not.toBe(software.orgId);
  });

  it.each(['', ' x', 'x'.repeat(41), 'a\nb', 'CN=x+O=y', '<script>'])('refuses the name %j', (name) => {
    expect(() => createSoftware({ name, redirectUris, keyType: 'rsa', now })).toThrow('--name must be');
    const agent = { name: 'TPP', onBehalfOf: name, redirectUris, keyType: 'rsa', now } as const;
    expect(() => createSoftware(agent)).toThrow('--on-behalf-of must be');
  });

  it.each([
    'http://tpp.example.com/cb',
    '/cb',
    'https://tpp.example.com/cb#x',
    `https://tpp.example.com/${'x'.repeat(240)}`,
  ])('refuses the redirect URI %s', (uri) => {
    expect(() => createSoftware({ name: 'TPP', redirectUris: [uri], keyType: 'rsa', now })).toThrow('--redirect-uri');
  });
});
