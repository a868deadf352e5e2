import type { AccessDetails, TokenAnswer } from './introspection.js';
import { type AccountsVersion, Refusal, Unauthorised } from './refusal.js';

/** What a customer lets the caller read. */
export interface AccountAccess {
  readonly psuId: string;
  readonly permissions: readonly string[];
  readonly accounts: AccessDetails['accounts'];
}

/**
 * Decides by the service's answer alone whether a token opens account information, in the order of the Read/Write
 * profile and RFC 8705.
 * @param expected.thumbprint of the certificate of this very connection
 * @throws Unauthorised, Refusal
 */
export function verifyAccess(
  answer: TokenAnswer,
  { thumbprint, version }: { thumbprint: string; version: AccountsVersion },
): AccountAccess {
  if (!answer.active) throw new Unauthorised('Bearer error="invalid_token"', 'token');
  // RFC 8705 s3: the token is valid only for the holder of the certificate over which it was issued.
  if (answer.cnf?.['x5t#S256'] !== thumbprint) throw new Unauthorised('Bearer error="invalid_token"', 'token');
  if (!(answer.scope ?? '').split(' ').includes('accounts')) {
    throw new Refusal(403, 'Resource.Forbidden', 'The access token does not have the scope accounts.', {
      rule: 'token.scope',
      expected: 'accounts',
      got: answer.scope ?? 'none',
    });
  }
  const details = answer.authorization_details?.find(({ type }) => type === 'account-access');
  if (details === undefined || answer.sub === undefined) {
    throw new Refusal(403, 'Resource.Forbidden', 'The access token belongs to no consent to account access.', {
      rule: 'token.consent',
      expected: 'the token of an approval of access to accounts',
      got: 'a token without such an approval',
    });
  }
  // A consent opens resources of its own version and of newer ones (Release Management, account information resources).
  if (Number(details.api_version) > Number(version)) {
    throw new Refusal(
      400,
      'Resource.ConsentMismatch',
      `The consent belongs to version ${details.api_version} of the API. Use that version.`,
      { rule: 'consent.version', expected: `one of version ${version} or older`, got: `one of ${details.api_version}` },
    );
  }
  return { psuId: answer.sub, permissions: details.permissions, accounts: details.accounts };
}

/**
 * @param needed any of these permissions is enough
 * @throws Refusal
 */
export function verifyPermission({ permissions }: AccountAccess, ...needed: readonly string[]): void {
  if (needed.some((permission) => permissions.includes(permission))) return;
  throw new Refusal(403, 'Resource.Forbidden', `The customer did not permit it: ${needed.join(' or ')}.`, {
    rule: 'consent.permission',
    expected: needed.join(' or '),
    got: permissions.join(', '),
  });
}
