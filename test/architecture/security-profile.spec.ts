import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { hasTest } from '../support/has-test.js';
import { parseSource } from '../support/parse-source.js';
import { fapiProfiles } from '../../libs/oauth/src/oauth-client.js';
import { isDemanded, profileTable, type Demand } from '../../libs/oauth/src/security-profile/profile-table.js';
import { defaultProfile } from '../support/profile-settings.js';

const root = resolve(import.meta.dirname, '../..');

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path));

const production = ['apps', 'libs'].flatMap(filesBelow).filter((path) => /^(?:apps|libs)\/[^/]+\/src\//.test(path));
const code = new Map(
  production.filter((path) => !path.endsWith('.spec.ts')).map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);
const filesWith = (pattern: RegExp): string[] =>
  [...code].flatMap(([path, text]) => (pattern.test(text) ? [path] : []));

/**
 * What this service promises about security profiles, by the file below test or libs whose test fails without it: the
 * promise, and a part of the title. Where one promise has several halves, each has its line.
 */
const promises: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'libs/oauth/src/authorization-request/verify-authorization-request.spec.ts': {
    'code wants PKCE or a JWT response mode': 'demands PKCE with code alone',
    'code with a JWT response mode alone is taken': 'takes code alone with a response as a JWT',
    'state is demanded where there is no nonce': 'demands a signed state where there is no nonce',
    'nonce is demanded with openid': '19 no nonce',
    'nonce and state are free in FAPI 2.0': 's5, s6 neither state nor nonce',
    'FAPI 2.0: PKCE': 's53 without PKCE',
    'FAPI 2.0: no hybrid flow': 's32 for the hybrid flow',
  },
  'test/e2e/authorization/jarm.e2e-spec.ts': {
    'a plain code flow is refused over HTTPS': 'j31 code without a JWT response mode',
    'JARM: an algorithm for each client': 'signs with the algorithm that the client registered',
    'JARM: errors': 'a bad parameter in a signed request: the error as a JWT',
  },
  'test/e2e/registration/creation.e2e-spec.ts': {
    'a registration without response_types gets code id_token':
      'response_types: the default, and values that are refused',
    'scope absent at registration': 'without scope registers openid',
  },
  'test/e2e/authorization/pushed-request.e2e-spec.ts': {
    'PAR without a certificate': 'pushes without a certificate',
    'PAR with tls_client_auth at the alias alone': 'refuses a tls_client_auth client, whatever certificate',
    'audience: issuer, token endpoint or PAR endpoint': 'p4, p5 takes its own address',
    'a pushed request is answered once': 'is reported to the TPP, and the reference is used up',
  },
  'libs/oauth/src/client-authentication/authenticate-client.spec.ts': {
    'audience: the issuer alone, of one client': 'accepts only the issuer, alone, from a client set to that',
    'audience: the issuer alone, of all': 'accepts only the issuer, alone, from every client',
    'audience: the issuer alone, in FAPI 2.0': 's59 to s61 accepts only the issuer, as a text',
  },
  'libs/back-channel/src/older-audiences.spec.ts': {
    'other audiences are counted for each client': 'are counted by a metric for each client',
  },
  'test/e2e/authorization/changes-in-flight.e2e-spec.ts': {
    'a client that changes its profile gets no answer that the new one forbids': 'moved to FAPI 2.0 while the customer',
  },
  'test/e2e/authorization/replaced-registration.e2e-spec.ts': {
    'a client that gives up a response type gets no answer of it': 'gives no answer of the former kind',
    'access tokens end with the grant that they came by': 'without a grant: the tokens that it gave',
  },
  'test/e2e/authorization/lasting-access.e2e-spec.ts': {
    'refresh tokens are not rotated': 'a refresh token stays good until its grant is revoked',
  },
  'test/e2e/token/refresh-token.e2e-spec.ts': {
    'rotation with reuse detection by a setting': 'at most one succeeds, and then the grant has ended',
  },
  'test/e2e/authorization/fapi2.e2e-spec.ts': {
    'FAPI 2.0 never rotates': 's44 refreshes without rotation',
    'FAPI 2.0: PAR only': 's30 a request that was not pushed is refused',
    'FAPI 2.0: iss in the response': 's2 two clients get a code with iss',
    'FAPI 2.0: a code of 60 seconds': 's38 a code is valid for 60 seconds',
  },
  'test/e2e/authorization/metadata.e2e-spec.ts': {
    'JARM: modes': 'every response type and mode is answered in its own place',
  },
  'test/e2e/token/token-siblings.e2e-spec.ts': {
    'signed introspection': 'signs its answer for a server that asks for a JWT',
  },
  'test/architecture/settings.spec.ts': {
    'keys hosted elsewhere': 'takes the place of the own key set in discovery',
    'weakenings are found': 'do not exist with the strict values',
    'STRICT refuses them': 'refuses each setting that weakens',
  },
  'libs/telemetry/src/observe-process.spec.ts': { 'weakenings are named': 'names them in one line of the log' },
  'test/architecture/deployment.spec.ts': {
    'the shipped overlays are strict': 'weakens nothing of the security profile',
  },
  'libs/oauth/src/grants/grants.spec.ts': {
    'scope absent at the token endpoint': 'refuses a request without scope where the bank demands one',
  },
  'libs/jws/src/forged-forms.spec.ts': { 'forged forms of a JWS are refused': 'refuses %s' },
  'libs/jws/src/verify-jws-signature.spec.ts': {
    'both values of s of an ECDSA signature': 'takes the other s of an ECDSA signature',
  },
  'test/e2e/authorize/session-keys.e2e-spec.ts': {
    'every code is refused when a key of sessions goes': 'every click on approve gets the same code',
  },
  'libs/oauth/src/client-authentication/client-secret.spec.ts': {
    'peppers have ids': 'counts under the pepper that it was made with',
  },
  'apps/token/src/signing-keys/secrets-commands.spec.ts': {
    'keys are rotated by a command': 'lets every key read a step before it writes',
  },
  'test/integration/signing-service.int-spec.ts': {
    'keys in a signing service': 'makes signatures that verify with the published key',
  },
  'libs/telemetry/src/watch-signing-keys.spec.ts': {
    'readiness names a key that cannot be reached': 'names the key that cannot sign',
  },
  'libs/http-server/src/stop-on-signal.spec.ts': { 'last resort handlers': 'unhandledRejection' },
  'test/e2e/file-payments/settings.e2e-spec.ts': {
    'an old x-jws-signature': 'refuses a signature that was made too long ago',
  },
  'test/e2e/registration/operator.e2e-spec.ts': {
    DCR_MAX_PER_SOFTWARE: 'DCR_MAX_PER_SOFTWARE counts existing clients',
  },
  'test/e2e/token/customer-state.e2e-spec.ts': {
    'customers that the bank locks': 'whom the bank has locked',
    'customers that the bank closes': 'whom the bank has closed',
  },
  'test/e2e/tpp/doctor.e2e-spec.ts': {
    'why: Basic by a client of another method': 'Basic by a client of another method',
    'why: exp beyond the limit': 'an assertion that is good for two hours',
    'why: unknown path': 'an unknown address',
    'why: 405': 'GET at the token endpoint',
    'why: response_mode': 'a response_mode that is not offered',
    'why: acr': 'an essential acr that this bank does not reach',
  },
};

describe('what is promised about security profiles', () => {
  const lines = Object.entries(promises).flatMap(([file, rows]) =>
    Object.entries(rows).map((row) => [...row, file] as const),
  );

  it.each(lines)('%s: “%s” in %s', (_promise, test, file) => expect(hasTest(file, test)).toBe(true));
});

describe('the one place that decides', () => {
  const table = 'libs/oauth/src/security-profile/profile-table.ts';

  it.each(profileTable.map(({ demand }) => demand))('%s is asked for by name', (demand) => {
    expect(filesWith(new RegExp(`'${demand}'`)).filter((path) => path !== table)).not.toEqual([]);
  });

  it('is alone in reading what the bank has set for profiles', () => {
    const settings = /\b(?:plainCodeFlow|clientAssertionAudience|refreshTokenRotation)\b|profile\.defaultScope\b/;
    expect(filesWith(settings).filter((path) => !path.endsWith('.settings.ts'))).toEqual([table]);
  });
});

describe('the page for TPPs (docs/reference/registration.md)', () => {
  const rows = readFileSync(join(root, 'docs/reference/registration.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const cellsOf = (title: string): string[] => rows.find((cells) => cells[1]?.startsWith(title))?.slice(2, -1) ?? [];

  it.each<[title: string, demand: Demand, ifDemanded: string, otherwise: RegExp]>([
    ['a signed request object', 'signed-request', 'yes', /^no$/],
    ['the request is pushed', 'pushed-request', 'yes', /^if you registered so$/],
    ['`code id_token` is offered', 'response-type-code', 'no', /^yes$/],
    ['PKCE', 'pkce', 'yes', /^if pushed; with `code` this or JARM$/],
    ['`nonce` with `openid`, else `state`', 'nonce-with-openid', 'yes', /^no$/],
    ['client secrets', 'asymmetric-authentication', 'no', /^if discovery lists/],
    ['`aud` of client assertions', 'issuer-audience', 'the issuer alone', /^as below$/],
  ])('says of “%s” what the table demands', (title, demand, ifDemanded, otherwise) => {
    const cells = cellsOf(title);
    expect(cells).toHaveLength(fapiProfiles.length);
    for (const [index, fapiProfile] of fapiProfiles.entries()) {
      const isRequired = isDemanded(demand, { fapiProfile }, defaultProfile);
      expect(cells[index]).toEqual(isRequired ? ifDemanded : expect.stringMatching(otherwise));
    }
  });
});

/** Names of a module that a file imports, types left out; `*` for all of it. */
function valuesImported(path: string, module: RegExp): string[] {
  return parseSource(join(root, path)).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !module.test((statement.moduleSpecifier as ts.StringLiteral).text))
      return [];
    const clause = statement.importClause;
    if (clause === undefined || clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
    const { namedBindings } = clause;
    if (namedBindings === undefined || !ts.isNamedImports(namedBindings)) return ['*'];
    return namedBindings.elements
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .map(({ name, propertyName }) => (propertyName ?? name).text);
  });
}

describe('signatures', () => {
  const signing = new Set(['*', 'sign', 'verify', 'createSign', 'createVerify', 'webcrypto', 'subtle', 'default']);

  it('are jose’s wherever they are of a JWS: node:crypto signs and verifies what is no JWS', () => {
    const users = [...code.keys()].filter((path) =>
      valuesImported(path, /^(?:node:)?crypto$/).some((name) => signing.has(name)),
    );
    expect(users.toSorted()).toEqual([
      // certificates of the sandbox, and a forged one
      'apps/ingress-check/src/forge-credential.ts',
      'apps/sandbox/src/trust/issue-certificate.ts',
      'apps/sandbox/src/trust/ocsp-response.ts',
      // a request for a certificate (PKCS #10)
      'apps/token/src/signing-keys/create-signing-key.ts',
      // certificates, revocation lists, OCSP
      'libs/certificates/src/verify-signature-of-issuer.ts',
    ]);
    expect(filesWith(/\bcrypto\.subtle\b|globalThis\.crypto\b/).filter((path) => !users.includes(path))).toEqual([]);
  });

  it('HMACs of our own are no JWS', () => {
    const users = [...code.keys()].filter((path) => valuesImported(path, /^(?:node:)?crypto$/).includes('createHmac'));
    expect(
      users.filter((path) => /jws|jwt|assertion/i.test(code.get(path)?.replaceAll(/^\s*(?:\/\/|\*).*$/gm, '') ?? '')),
    ).toEqual([]);
  });

  it('come from libs/jws in every server process: nobody else there asks jose', () => {
    const servers = [...code.keys()].filter((path) => /^(?:libs|apps\/(?:api|authorize|token|worker))\//.test(path));
    const users = servers.filter((path) => valuesImported(path, /^jose(?:\/|$)/).length > 0);
    expect(users.filter((path) => !path.startsWith('libs/jws/'))).toEqual([
      'apps/token/src/signing-keys/create-signing-key.ts',
    ]);
  });

  it('have no other library: jose is the only one of JWS among the dependencies', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(dependencies).filter((name) => /jose|jws|jwt|jwa|jwk/.test(name))).toEqual(['jose']);
  });
});

describe('the reason of a refusal', () => {
  it('is read by name: no explanation of the sandbox looks into what the service says', () => {
    const explanations = filesBelow('apps/sandbox/src/refusals').filter((path) => !path.endsWith('.spec.ts'));
    const prose =
      /(?:detail|description|wordsOf\([^)]*\)|message)\b[^;\n]{0,40}\.(?:match|includes|startsWith|search|test)\(|\.(?:test|exec)\((?:error|problem)?\.?(?:detail|description|message)/;
    expect(explanations.filter((path) => prose.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
  });
});
