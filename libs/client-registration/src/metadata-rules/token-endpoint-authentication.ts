import {
  CertificateError,
  DistinguishedNameError,
  distinguishedNameOf,
  formatDistinguishedName,
  isSameDistinguishedName,
  parseDistinguishedName,
} from '#libs/certificates';
import { accepted, faultsOf, missing, refused, type Checked } from '../checked.js';
import type { ClientMetadata } from '../client-metadata.js';
import { asymmetricAlgorithms, tokenEndpointAuthMethods } from '../supported-metadata.js';
import { isOneOf, isPrintableText } from './claim-values.js';
import { isDemandedByProfile } from './profile.js';
import type { RegistrationContext } from './registration-context.js';

type Method = ClientMetadata['tokenEndpointAuthMethod'];

/** A client's registered authentication at the token endpoint, with only the members of its method. */
export type TokenEndpointAuthentication = Pick<
  ClientMetadata,
  'tokenEndpointAuthMethod' | 'tokenEndpointAuthSigningAlg' | 'tlsClientAuthSubjectDn'
>;

/** `token_endpoint_auth_method` and the claims that depend on it. */
export function verifyTokenEndpointAuthentication(context: RegistrationContext): Checked<TokenEndpointAuthentication> {
  const method = verifyMethod(context);
  if ('faults' in method) return method;
  const tokenEndpointAuthMethod = method.value;
  const companion = companionRules[tokenEndpointAuthMethod](context);
  if ('faults' in companion) return { faults: faultsOf([companion]) };
  return accepted({ tokenEndpointAuthMethod, ...companion.value });
}

type Companion = Checked<Omit<TokenEndpointAuthentication, 'tokenEndpointAuthMethod'>>;

const companionRules: Record<Method, (context: RegistrationContext) => Companion> = {
  private_key_jwt: verifySigningAlgorithm,
  // HMAC with SHA-256 whatever was requested: some TPPs name the algorithm of their other signatures here.
  client_secret_jwt: () => accepted({ tokenEndpointAuthSigningAlg: 'HS256' }),
  client_secret_basic: () => accepted({}),
  client_secret_post: () => accepted({}),
  tls_client_auth: verifySubject,
};

function verifyMethod(context: RegistrationContext): Checked<Method> {
  const { claims, tokenEndpointAuthMethods: permitted } = context;
  const claim = claims.get('token_endpoint_auth_method');
  const path = claims.nameOf('token_endpoint_auth_method');
  if (claim === undefined) return missing(path);
  // The published description's name for tls_client_auth (RFC 8705 s2.1.1).
  const method = claim === 'mtls_client_auth' ? 'tls_client_auth' : claim;
  const isSecretRefused = isDemandedByProfile('asymmetric-authentication', context);
  const offered = tokenEndpointAuthMethods
    .filter((name) => permitted === undefined || permitted.includes(name))
    .filter((name) => !isSecretRefused || !name.startsWith('client_secret'));
  return isOneOf(offered, method) ? accepted(method) : refused(path, `must be one of ${offered.join(', ')}`);
}

function verifySigningAlgorithm({ claims }: RegistrationContext): Companion {
  const claim = claims.get('token_endpoint_auth_signing_alg');
  const path = claims.nameOf('token_endpoint_auth_signing_alg');
  if (claim === undefined) return missing(path);
  return isOneOf(asymmetricAlgorithms, claim)
    ? accepted({ tokenEndpointAuthSigningAlg: claim })
    : refused(path, `must be ${asymmetricAlgorithms.join(' or ')}`);
}

/** RFC 8705 s2.1.2: the subject of the certificate of this connection, so that a mistake shows at once. */
function verifySubject({ claims, certificate }: RegistrationContext): Companion {
  const claim = claims.get('tls_client_auth_subject_dn');
  const path = claims.nameOf('tls_client_auth_subject_dn');
  if (claim !== undefined && !isSubjectText(claim)) {
    return refused(path, 'must be a distinguished name of 1 to 512 characters');
  }
  try {
    const subject = distinguishedNameOf(certificate);
    // The published description has no such claim; the default is the subject of this connection's certificate.
    if (claim === undefined) return accepted({ tlsClientAuthSubjectDn: formatDistinguishedName(subject) });
    return isSameDistinguishedName(parseDistinguishedName(claim), subject)
      ? accepted({ tlsClientAuthSubjectDn: claim })
      : refused(path, 'must be the subject of the client certificate');
  } catch (error) {
    if (!(error instanceof DistinguishedNameError || error instanceof CertificateError)) throw error;
    return refused(path, 'must be a distinguished name of RFC 4514');
  }
}

/** Names of organisations may contain any letter. Control characters are written as escapes (RFC 4514 s2.4). */
function isSubjectText(value: unknown): value is string {
  return (
    isPrintableText(value, 512) ||
    (typeof value === 'string' && value.length <= 512 && /^[^\p{Cc}\p{Cs}]+$/u.test(value))
  );
}
