import { beforeAll, describe, expect, it } from '@jest/globals';
import type { X509Certificate } from 'node:crypto';
import { issueCertificate } from '../../certificates/test/issue-certificate.js';
import type { ClientMetadata } from './client-metadata.js';
import type { RegistrationContext } from './metadata-rules/registration-context.js';
import { readRegistrationClaims } from './request/registration-claims.js';
import { verifyRegistrationRequest } from './verify-registration-request.js';
import { defaultProfile } from '../../../test/support/profile-settings.js';

const now = new Date('2026-11-21T08:00:00Z');
const seconds = now.getTime() / 1_000;
const subject = 'CN=4xTq9RbW2mKf7LpZ0sVd1h,OU=001580000103UAvAAM,O=OpenBanking,C=GB';

let certificate: X509Certificate;

beforeAll(async () => {
  ({ certificate } = await issueCertificate({ subject }));
});

const software = {
  compact: 'e30.e30.AA',
  softwareId: '4xTq9RbW2mKf7LpZ0sVd1h',
  softwareClientId: 'clientIdOfTheDirectory',
  clientName: 'Ledger Sync',
  orgId: '001580000103UAvAAM',
  orgName: 'Example TPP Ltd',
  redirectUris: [
    'https://tpp.example.com/cb',
    'https://tpp.example.com/other',
    'https://localhost',
    'http://tpp.example.com',
  ],
  permittedScopes: ['openid', 'payments'],
  jwksUri: 'https://keystore.directory.test/a.jwks',
  directoryIssuer: 'OpenBanking Ltd',
};

/** Valid by default; undefined removes a claim. */
const goodClaims = {
  iss: '4xTq9RbW2mKf7LpZ0sVd1h',
  iat: seconds - 5,
  exp: seconds + 1_800,
  aud: '0015800001041RHAAY',
  jti: '1bd6c5b7-d012-478a-a0bf-471780b912da',
  redirect_uris: ['https://tpp.example.com/cb'],
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_signing_alg: 'PS256',
  grant_types: ['authorization_code', 'client_credentials'],
  response_types: ['code id_token'],
  software_id: '4xTq9RbW2mKf7LpZ0sVd1h',
  scope: 'payments openid',
  software_statement: 'e30.e30.AA',
  application_type: 'web',
  id_token_signed_response_alg: 'PS256',
  request_object_signing_alg: 'PS256',
};

function verify(difference: Record<string, unknown> = {}, context: Partial<RegistrationContext> = {}): ClientMetadata {
  const { claims, faults } = readRegistrationClaims({ ...goodClaims, ...difference });
  expect(faults).toEqual([]);
  return verifyRegistrationRequest({
    claims,
    software,
    audience: ['0015800001041RHAAY', 'https://bank.test/open-banking/v3.0'],
    idTokenAlgorithms: ['PS256'],
    fapiProfiles: defaultProfile.fapiProfiles,
    profile: defaultProfile,
    certificate,
    now,
    ...context,
  });
}

interface Refusal {
  path: string | undefined;
  error: string;
  code: string;
}

function refusalsOf(difference: Record<string, unknown>, context: Partial<RegistrationContext> = {}): Refusal[] {
  try {
    verify(difference, context);
  } catch (error) {
    expect(error).toMatchObject({ name: 'RegistrationError' });
    return Reflect.get(error as Error, 'faults') as Refusal[];
  }
  return [];
}

const pathsOf = (difference: Record<string, unknown>): (string | undefined)[] =>
  refusalsOf(difference).map(({ path }) => path);

describe('verifyRegistrationRequest (OBClientRegistrationRequest1)', () => {
  it('returns the metadata that the protocol works with', () => {
    expect(verify()).toEqual({
      redirectUris: ['https://tpp.example.com/cb'],
      grantTypes: ['authorization_code', 'client_credentials'],
      responseTypes: ['code id_token'],
      scope: 'payments openid',
      tokenEndpointAuthMethod: 'private_key_jwt',
      tokenEndpointAuthSigningAlg: 'PS256',
      idTokenSignedResponseAlg: 'PS256',
      requestObjectSigningAlg: 'PS256',
      requirePushedAuthorizationRequests: false,
      fapiProfile: 'fapi1-advanced',
      request: {
        iss: '4xTq9RbW2mKf7LpZ0sVd1h',
        iat: seconds - 5,
        exp: seconds + 1_800,
        aud: '0015800001041RHAAY',
        jti: '1bd6c5b7-d012-478a-a0bf-471780b912da',
        applicationType: 'web',
        softwareStatement: 'e30.e30.AA',
        usesOlderSubjectName: false,
      },
    });
  });

  it.each([
    [{ scope: 'openid\u0007' }, 'scope must not contain U+0007: only printable ASCII characters are permitted.'],
    [{ scope: 'x'.repeat(257) }, 'scope must be a string of 1 to 256 printable ASCII characters.'],
    ...[[{ toString: 'x' }], [['openid'], 'payments'], ['openid', null], []].map(
      (scope): [Record<string, unknown>, string] => [
        { scope },
        'scope must be a string of 1 to 256 printable ASCII characters.',
      ],
    ),
    [{ jti: 'a\u{1f600}' }, 'jti must not contain U+1F600: only printable ASCII characters are permitted.'],
    [{ iat: now.getTime() }, 'iat must be a whole number of seconds since 1970.'],
    [{ exp: String(now.getTime()) }, 'exp must be a whole number of seconds since 1970.'],
    [{ jti: 'a'.repeat(129) }, 'jti must be a string of 1 to 128 printable ASCII characters.'],
    [{ jti: '' }, 'jti must be a string of 1 to 128 printable ASCII characters.'],
    [{ redirect_uris: ['https://tpp.example.com/c\tb'] }, 'redirect_uris[0] must not contain U+0009.'],
  ])('says what it refuses: %j', (difference, detail) => {
    expect(refusalsOf(difference)).toMatchObject([{ detail }]);
  });

  it('DCR-T024 reads the published camel case names as the standard ones', () => {
    const published = {
      tokenEndpointAuthMethod: 'private_key_jwt',
      tokenEndpointAuthSigningAlg: 'PS256',
      responseTypes: ['code id_token'],
      softwareStatement: 'e30.e30.AA',
      applicationType: 'web',
      idTokenSignedResponseAlg: 'PS256',
      requestObjectSigningAlg: 'PS256',
    };
    const standard = Object.fromEntries(
      Object.keys(published).map((name) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), undefined]),
    );
    expect(verify({ ...standard, ...published })).toEqual(verify());
    expect(verify(published)).toEqual(verify());
    expect(pathsOf({ ...standard, ...published, applicationType: 'desktop' })).toEqual(['applicationType']);
  });

  it.each(
    [
      [
        'iss',
        'iat',
        'exp',
        'aud',
        'jti',
        'token_endpoint_auth_method',
        'token_endpoint_auth_signing_alg',
        'grant_types',
      ],
      ['application_type', 'id_token_signed_response_alg', 'request_object_signing_alg'],
    ].flat(),
  )('DCR-T039 DCR-T053 DCR-T054 DCR-T056 DCR-T060 wants %s', (name) => {
    for (const value of [undefined, null]) {
      expect(refusalsOf({ [name]: value })).toEqual([
        expect.objectContaining({ path: name, error: 'invalid_client_metadata', code: 'Field.Missing' }),
      ]);
    }
  });

  it('takes no type but the right one for any claim, and never fails otherwise', () => {
    const hostile = [
      -1,
      1.5,
      1e300,
      true,
      '',
      '\u0000',
      {},
      [],
      [[]],
      [{}],
      [null],
      ['', 7],
      { length: 1 },
      'a'.repeat(70_000),
      '\ud800',
    ];
    for (const name of Object.keys(goodClaims).filter((claim) => claim !== 'software_statement')) {
      for (const value of hostile) {
        const refusals = refusalsOf({ [name]: value });
        const isDefault =
          Array.isArray(value) && value.length === 0 && (name === 'redirect_uris' || name === 'response_types');
        expect([name, value, refusals.length > 0]).toEqual([name, value, !isDefault]);
      }
    }
  });

  it('lists every fault of the request', () => {
    expect(
      pathsOf({
        iss: 'x',
        exp: seconds - 3_600,
        jti: '',
        scope: 'accounts',
        redirect_uris: ['https://x.test', 'https://localhost'],
      }),
    ).toEqual(['iss', 'exp', 'jti', 'redirect_uris[0]', 'redirect_uris[1]', 'scope']);
  });

  it.each([
    ['foo.is/invalid', false],
    ['', false],
    ['123456789012345678901234567890', false],
    ['4XTQ9RBW2MKF7LPZ0SVD1H', false],
    ['clientIdOfTheDirectory', true],
  ])('DCR-T037 iss %j: accepted is %s', (iss, isAccepted) => {
    expect(pathsOf({ iss })).toEqual(isAccepted ? [] : ['iss']);
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ exp: seconds + 30 }, []],
    [{ exp: seconds }, ['exp']],
    [{ exp: seconds - 5 }, ['exp']],
    [{ exp: seconds + 86_400 }, []],
    [{ exp: seconds + 86_401 }, ['exp']],
    [{ exp: seconds - 10, iat: seconds - 20 }, ['exp']],
    [{ exp: seconds + 10, iat: seconds + 10 }, ['exp']],
    [{ iat: seconds + 60 }, []],
    [{ iat: seconds + 61 }, ['iat']],
    [{ iat: now.getTime() }, ['iat']],
    [{ iat: String(seconds), exp: String(seconds + 60) }, []],
    [{ iat: 0 }, []],
    [{ iat: `${seconds}.5` }, ['iat']],
    [{ nbf: seconds + 60 }, []],
    [{ nbf: seconds + 61 }, ['nbf']],
    [{ nbf: 'now' }, ['nbf']],
  ])('DCR-T033 DCR-T034 DCR-T035 DCR-T036 times %j: refuses %j (RFC 7519 s4.1)', (difference, paths) => {
    expect(pathsOf(difference)).toEqual(paths);
  });

  it.each<[unknown, string | undefined]>([
    ['0015800001041RHAAY', '0015800001041RHAAY'],
    ['https://bank.test/open-banking/v3.0', 'https://bank.test/open-banking/v3.0'],
    ['clientIdOfTheDirectory', 'clientIdOfTheDirectory'],
    [['https://bank.test/open-banking/v3.0', '0015800001041RHAAY'], 'https://bank.test/open-banking/v3.0'],
    [['0015800001041RHAAY', 'https://other.test'], undefined],
    [['0015800001041RHAAY', null], undefined],
    ['https://other.test', undefined],
    [[], undefined],
    [[['0015800001041RHAAY']], undefined],
  ])('DCR-T038 aud %j is read as %j', (aud, recognised) => {
    if (recognised === undefined) expect(pathsOf({ aud })).toEqual(['aud']);
    else expect(verify({ aud }).request.aud).toBe(recognised);
  });

  it.each(['1BD6C5B7-D012-478A-A0BF-471780B912DA', '1bd6c5b7d012478aa0bf471780b912da', 'x', 'a'.repeat(128)])(
    'DCR-T039 takes the jti %s',
    (jti) => {
      expect(verify({ jti }).request.jti).toBe(jti);
    },
  );

  it('DCR-T050 refuses another software_id', () => {
    expect(pathsOf({ software_id: '4xTq9RbW2mKf7LpZ0sVd1H' })).toEqual(['software_id']);
    expect(pathsOf({ software_id: undefined })).toEqual([]);
  });

  it('ignores client_id in a new registration and compares it in a replacement (RFC 7592 s2.2)', () => {
    expect(refusalsOf({ client_id: 'a wish' })).toEqual([]);
    expect(refusalsOf({ client_id: 'mine' }, { clientId: 'mine' })).toEqual([]);
    expect(refusalsOf({ client_id: 'other' }, { clientId: 'mine' })).toEqual([
      expect.objectContaining({ path: 'client_id' }),
    ]);
  });

  it.each([
    'https://tpp.example.com/unlisted',
    'https://tpp.example.com/cb/',
    'https://TPP.example.com/cb',
    'https://tpp.example.com:443/cb',
    'http://tpp.example.com',
    'https://localhost',
  ])('DCR-T046 refuses the redirect URI %s, also as the second of two', (uri) => {
    for (const [uris, path] of [
      [[uri], 'redirect_uris[0]'],
      [['https://tpp.example.com/cb', uri], 'redirect_uris[1]'],
    ] as const) {
      expect(refusalsOf({ redirect_uris: uris })).toEqual([
        expect.objectContaining({ path, error: 'invalid_redirect_uri', code: 'Field.Invalid' }),
      ]);
    }
  });

  it.each([
    'https://tpp.example.com/#',
    'https://tpp.example.com/#a',
    'https://a@tpp.example.com/',
    'https://@tpp.example.com/',
    'https://*.example.com/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://a.localhost/',
    'https://localhost./',
    'https://0.0.0.0/',
    'https://127.255.0.1/',
    'https://0.255.0.1/',
    'https://[::]/',
    'https:/tpp.example.com',
    'https:\\\\tpp.example.com',
    'https://tpp.example.com/\\',
    'javascript:alert(1)',
    'https://',
    'https://tpp.example.com/ ',
    'https://tpp.example.com/\u0000',
    `https://tpp.example.com/${'a'.repeat(233)}`,
    'HTTPS://tpp.example.com',
  ])('DCR-T047 refuses the redirect URI %s even when the software statement lists it', (uri) => {
    const context = { software: { ...software, redirectUris: [uri] } };
    expect(refusalsOf({ redirect_uris: [uri] }, context)).toEqual([
      expect.objectContaining({ error: 'invalid_redirect_uri' }),
    ]);
    expect(refusalsOf({ redirect_uris: undefined }, context)).toEqual([
      expect.objectContaining({ error: 'invalid_redirect_uri', code: 'Field.Missing' }),
    ]);
  });

  it('takes a redirect URI on the own machine that the configuration allows letter by letter, and no other (RFC 8252 s7.3)', () => {
    const portal = 'http://localhost:8447/callback';
    const context = { software: { ...software, redirectUris: [portal, `${portal}/`] }, loopbackRedirectUris: [portal] };
    expect(verify({ redirect_uris: [portal] }, context).redirectUris).toEqual([portal]);
    expect(verify({ redirect_uris: undefined }, context).redirectUris).toEqual([portal]);
    const refusal = [expect.objectContaining({ path: 'redirect_uris[0]', error: 'invalid_redirect_uri' })];
    expect(refusalsOf({ redirect_uris: [`${portal}/`] }, context)).toEqual(refusal);
    // Allowed, and not in the software statement: not this software's.
    expect(refusalsOf({ redirect_uris: [portal] }, { loopbackRedirectUris: [portal] })).toEqual(refusal);
  });

  it.each([
    'https://128.0.0.1/',
    'https://1.0.0.1/',
    'https://localhost.example/',
    `https://tpp.example.com/${'a'.repeat(232)}`,
  ])('takes the redirect URI %s of the software statement', (uri) => {
    const context = { software: { ...software, redirectUris: [uri] } };
    expect(verify({ redirect_uris: [uri] }, context).redirectUris).toEqual([uri]);
  });

  it('takes a hundred redirect URIs, grants and response types, and not one more', () => {
    const redirectUris = Array.from({ length: 101 }, (_, index) => `https://tpp.example.com/${index}`);
    const context = { software: { ...software, redirectUris } };
    const hundred = redirectUris.slice(0, 100);
    expect(verify({ redirect_uris: hundred }, context).redirectUris).toEqual(hundred);
    expect(refusalsOf({ redirect_uris: redirectUris }, context)).toMatchObject([{ path: 'redirect_uris' }]);
    expect(verify({ redirect_uris: undefined }, context).redirectUris).toEqual(hundred);
    for (const [name, word] of [
      ['grant_types', 'authorization_code'],
      ['response_types', 'code'],
    ] as const) {
      expect(pathsOf({ [name]: Array.from({ length: 100 }, () => word) })).toEqual([]);
      expect(pathsOf({ [name]: Array.from({ length: 101 }, () => word) })).toEqual([name]);
    }
  });

  it('DCR-T048 DCR-T049 takes the usable redirect URIs of the software statement where none are named, and each once', () => {
    const usable = ['https://tpp.example.com/cb', 'https://tpp.example.com/other'];
    expect(verify({ redirect_uris: undefined }).redirectUris).toEqual(usable);
    expect(verify({ redirect_uris: [] }).redirectUris).toEqual(usable);
    expect(verify({ redirect_uris: [usable[1], usable[1]] }).redirectUris).toEqual([usable[1]]);
  });

  it.each<[unknown, string[] | undefined]>([
    [
      ['refresh_token', 'client_credentials'],
      ['refresh_token', 'client_credentials'],
    ],
    [
      ['refresh_token', 'authorization_code', 'refresh_token'],
      ['refresh_token', 'authorization_code'],
    ],
    [[], undefined],
    [['implicit'], undefined],
    [['client_credentials', 'password'], undefined],
    [['refresh_token'], undefined],
    ['client_credentials', undefined],
  ])('DCR-T054 grant_types %j', (grants, registered) => {
    const claims = { grant_types: grants, response_types: undefined };
    if (registered === undefined) expect(pathsOf(claims)).toEqual(['grant_types']);
    else expect(verify(claims).grantTypes).toEqual(registered);
  });

  it.each<[Record<string, unknown>, string[] | undefined]>([
    [{ response_types: undefined }, ['code id_token']],
    [{ response_types: [] }, ['code id_token']],
    [{ response_types: ['code', 'id_token code', 'code'] }, ['code', 'code id_token']],
    [{ response_types: ['id_token', 'token'] }, undefined],
    [{ response_types: ['authorization_code'] }, undefined],
    [
      { response_types: undefined, responseTypes: ['authorization_code', 'client_credentials'] },
      ['code', 'code id_token'],
    ],
    [{ response_types: undefined, responseTypes: ['refresh_token'] }, ['code id_token']],
    [{ response_types: undefined, grant_types: ['client_credentials'] }, []],
    [{ response_types: undefined, responseTypes: ['client_credentials'], grant_types: ['client_credentials'] }, []],
    [{ grant_types: ['client_credentials'] }, undefined],
    [{ grant_types: ['client_credentials', 'refresh_token'] }, undefined],
  ])('response types of %j are %j', (difference, registered) => {
    if (registered === undefined) expect(pathsOf(difference)).toEqual(['response_types']);
    else expect(verify(difference).responseTypes).toEqual(registered);
  });

  it.each<[unknown, string | undefined]>([
    ['openid  payments', 'openid  payments'],
    [['payments', 'openid'], 'payments openid'],
    [undefined, 'openid payments'],
    ['accounts openid', undefined],
    ['fundsconfirmations', undefined],
    ['payments admin', undefined],
    ['Payments', undefined],
    ['   ', undefined],
    [`openid${' '.repeat(251)}`, undefined],
  ])('DCR-T051 DCR-T052 scope %j is registered as %j', (scope, registered) => {
    if (registered === undefined) expect(pathsOf({ scope })).toEqual(['scope']);
    else expect(verify({ scope }).scope).toBe(registered);
  });

  it.each(['none', 'self_signed_tls_client_auth', 'RS256'])(
    'DCR-T053 refuses the authentication method %s',
    (method) => {
      expect(pathsOf({ token_endpoint_auth_method: method })).toEqual(['token_endpoint_auth_method']);
    },
  );

  it('DCR-T026 takes mtls_client_auth for tls_client_auth (RFC 8705 s2.1.1)', () => {
    expect(verify({ token_endpoint_auth_method: 'mtls_client_auth' }).tokenEndpointAuthMethod).toBe('tls_client_auth');
  });

  it('DCR-T057 registers HS256 for client_secret_jwt whatever was asked for, and no algorithm for other methods', () => {
    for (const alg of ['PS256', 'HS256', undefined]) {
      const metadata = verify({
        token_endpoint_auth_method: 'client_secret_jwt',
        token_endpoint_auth_signing_alg: alg,
      });
      expect(metadata.tokenEndpointAuthSigningAlg).toBe('HS256');
    }
    for (const method of ['client_secret_basic', 'client_secret_post', 'tls_client_auth']) {
      expect(verify({ token_endpoint_auth_method: method })).not.toHaveProperty('tokenEndpointAuthSigningAlg');
    }
    expect(pathsOf({ token_endpoint_auth_signing_alg: 'HS256' })).toEqual(['token_endpoint_auth_signing_alg']);
  });

  it.each(['tls_client_auth_subject_dn', 'tlsClientAuthSubjectDn', 'tls_client_auth_dn'])(
    'DCR-T058 compares %s with the certificate',
    (name) => {
      const method = { token_endpoint_auth_method: 'tls_client_auth' };
      const spelling = 'cn=4xTq9RbW2mKf7LpZ0sVd1h, 2.5.4.11=001580000103UAvAAM, O=OPENBANKING, C=gb';
      const metadata = verify({ ...method, [name]: spelling });
      expect(metadata.tlsClientAuthSubjectDn).toBe(spelling);
      expect(metadata.request.usesOlderSubjectName).toBe(name === 'tls_client_auth_dn');
      for (const wrong of [
        'CN=other',
        subject.replace('4xTq', '4XTQ'),
        'nonsense',
        '',
        `CN=${'a'.repeat(600)}`,
        `${subject}\u0000`,
        7,
      ]) {
        expect(pathsOf({ ...method, [name]: wrong })).toEqual([name]);
      }
    },
  );

  it.each([
    ['CN=Zoë', 'the subject of the client certificate'],
    [`CN=${'a'.repeat(509)}`, 'the subject of the client certificate'],
    [`CN=${'a'.repeat(510)}`, 'a distinguished name of 1 to 512 characters'],
    [`CN=${'ë'.repeat(510)}`, 'a distinguished name of 1 to 512 characters'],
    ['CN=Zoë\u0007', 'a distinguished name of 1 to 512 characters'],
    ['nonsense', 'a distinguished name of RFC 4514'],
  ])('DCR-T058 says of another subject what it must be (%#)', (name, must) => {
    const claims = { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: name };
    expect(refusalsOf(claims)).toMatchObject([{ detail: `tls_client_auth_subject_dn must be ${must}.` }]);
  });

  it('DCR-T059 derives the subject from the certificate where the request names none', () => {
    expect(verify({ token_endpoint_auth_method: 'tls_client_auth' }).tlsClientAuthSubjectDn).toBe(subject);
  });

  it.each<[string, unknown, boolean]>([
    ['application_type', 'web', true],
    ['application_type', 'mobile', true],
    ['application_type', 'native', true],
    ['application_type', 'desktop', false],
    ['id_token_signed_response_alg', 'RS256', false],
    ['id_token_signed_response_alg', 'ES256', false],
    ['request_object_signing_alg', 'ES256', true],
    ['request_object_signing_alg', 'none', false],
    ['authorization_signed_response_alg', 'PS256', true],
    ['authorization_signed_response_alg', 'ES256', false],
    ['authorization_signed_response_alg', 'none', false],
    ['fapi_profile', 'fapi1-advanced', true],
    ['fapi_profile', 'fapi2-security', false],
    ['require_pushed_authorization_requests', true, true],
    ['require_pushed_authorization_requests', 'true', false],
  ])('DCR-T055 DCR-T060 %s %j: accepted is %s', (name, value, isAccepted) => {
    expect(pathsOf({ [name]: value })).toEqual(isAccepted ? [] : [name]);
  });

  it('keeps the algorithm of JWT responses only of a client that names one (JARM s3)', () => {
    expect(verify({ authorization_signed_response_alg: 'PS256' }).authorizationSignedResponseAlg).toBe('PS256');
    expect(verify({})).not.toHaveProperty('authorizationSignedResponseAlg');
  });

  it('gives a request without scope all that is permitted, or refuses it where the bank wants one', () => {
    expect(verify({ scope: undefined }).scope).toBe('openid payments');
    expect(refusalsOf({ scope: undefined }, { defaultScope: 'refuse' })).toMatchObject([{ path: 'scope' }]);
  });

  it('refuses a scope that we do not offer, or drops it where the bank wants so (RFC 7591 s2)', () => {
    const drop = { unknownScope: 'drop' } as const;
    const polling = { scope: 'openid eventpolling  payments' };
    expect(refusalsOf(polling)).toMatchObject([{ path: 'scope' }]);
    expect(verify(polling, drop).scope).toBe('openid payments');
    expect(verify({ scope: ['openid', 'eventpolling'] }, drop).scope).toBe('openid');
    // What the TPP sent is kept as it is where nothing is dropped.
    expect(verify({ scope: 'payments  openid' }, drop).scope).toBe('payments  openid');
    expect(refusalsOf({ scope: 'eventpolling' }, drop)).toMatchObject([{ path: 'scope' }]);
    expect(refusalsOf({ scope: 'openid accounts eventpolling' }, drop)).toMatchObject([
      { path: 'scope', detail: expect.stringContaining('holds accounts') },
    ]);
  });

  it('lets clients choose the profiles that the bank offers them; a new one has the first without choosing', () => {
    const fapiProfiles = ['fapi2-security', 'fapi1-advanced'] as const;
    const context = { fapiProfiles, profile: { ...defaultProfile, fapiProfiles } };
    const fapi2 = { response_types: ['code'] };
    expect(verify({ fapi_profile: 'fapi1-advanced' }, context).fapiProfile).toBe('fapi1-advanced');
    expect(verify(fapi2, context).fapiProfile).toBe('fapi2-security');
    expect(verify({ aud: goodClaims.aud }, { clientId: 'c1' })).not.toHaveProperty('fapiProfile');
    expect(refusalsOf({ fapi_profile: 'fapi2-message-signing' }, context)).toMatchObject([{ path: 'fapi_profile' }]);
  });

  it('FAPI 2.0 knows code alone, and no secrets (Security Profile s5.3.2.1-6, s5.3.2.2-1)', () => {
    const context = { fapiProfiles: ['fapi2-security'] };
    const fapi2 = { fapi_profile: 'fapi2-security', response_types: undefined };
    expect(verify(fapi2, context).responseTypes).toEqual(['code']);
    expect(refusalsOf({ ...fapi2, response_types: ['code id_token'] }, context)).toMatchObject([
      { path: 'response_types' },
    ]);
    expect(refusalsOf({ ...fapi2, token_endpoint_auth_method: 'client_secret_basic' }, context)).toMatchObject([
      { path: 'token_endpoint_auth_method' },
    ]);
  });

  it('DCR-T063 ignores unknown claims', () => {
    expect(
      verify({ __proto__: { a: 1 }, backchannel_token_delivery_mode: 'poll', constructor: 1, client_secret: 'x' }),
    ).toEqual(verify());
  });
});

describe('readRegistrationClaims', () => {
  it('DCR-T025 refuses two names of one claim with different values', () => {
    const { faults } = readRegistrationClaims({
      application_type: 'web',
      applicationType: 'mobile',
      response_types: ['code'],
      responseTypes: ['code'],
    });
    expect(faults).toEqual([
      expect.objectContaining({
        code: 'Field.Unexpected',
        error: 'invalid_client_metadata',
        path: 'applicationType',
      }),
    ]);
  });
});
