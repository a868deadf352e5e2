import type { Difference } from '../../support/a-client.js';

type Method = 'private_key_jwt' | 'tls_client_auth';
type KeyType = 'rsa' | 'ec';

/** A plan with its variants, and how its two clients register. */
interface SuiteRun {
  plan: string;
  variant: Record<string, string>;
  method: Method;
  keyType: KeyType;
  metadata?: Difference;
}

const inJwt = { authorization_signed_response_alg: 'PS256' };
const clientAuthType = (method: Method): string => (method === 'tls_client_auth' ? 'mtls' : method);

const fapi1 = (
  profile: string,
  method: Method,
  keyType: KeyType,
  request: string,
  response = 'plain_response',
): SuiteRun => ({
  plan: 'fapi1-advanced-final-test-plan',
  variant: {
    fapi_profile: profile,
    client_auth_type: clientAuthType(method),
    fapi_auth_request_method: request,
    fapi_response_mode: response,
  },
  method,
  keyType,
  ...(response === 'jarm' && { metadata: { response_types: ['code', 'code id_token'], ...inJwt } }),
});

const fapi2 = (
  plan: 'security-profile' | 'message-signing',
  method: Method,
  keyType: KeyType,
  response?: string,
): SuiteRun => ({
  plan: `fapi2-${plan}-final-test-plan`,
  variant: {
    fapi_profile: 'plain_fapi',
    client_auth_type: clientAuthType(method),
    sender_constrain: 'mtls',
    authorization_request_type: 'simple',
    openid: 'openid_connect',
    ...(response !== undefined && { fapi_request_method: 'signed_non_repudiation', fapi_response_mode: response }),
  },
  method,
  keyType,
  metadata: {
    fapi_profile: response === undefined ? 'fapi2-security' : 'fapi2-message-signing',
    response_types: ['code'],
    ...(response === 'jarm' && inJwt),
  },
});

// The suite has neither PAR nor JARM for `openbanking_uk`.
export const suiteRuns: readonly SuiteRun[] = (['private_key_jwt', 'tls_client_auth'] as const).flatMap((method) =>
  (['rsa', 'ec'] as const).flatMap((keyType) => [
    fapi1('plain_fapi', method, keyType, 'by_value'),
    fapi1('plain_fapi', method, keyType, 'pushed'),
    fapi1('plain_fapi', method, keyType, 'by_value', 'jarm'),
    fapi1('plain_fapi', method, keyType, 'pushed', 'jarm'),
    fapi1('openbanking_uk', method, keyType, 'by_value'),
    fapi2('security-profile', method, keyType),
    fapi2('message-signing', method, keyType, 'plain_response'),
    fapi2('message-signing', method, keyType, 'jarm'),
  ]),
);
