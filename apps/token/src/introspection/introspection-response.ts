import type { IntrospectedToken } from '#libs/token-store';

/** RFC 7662 s2.2, RFC 8705 s3.2; member names as on the wire. */
export type IntrospectionResponse =
  | { active: false }
  | {
      active: true;
      iss: string;
      client_id: string;
      token_type: 'bearer';
      scope: string;
      iat: number;
      exp: number;
      /** the resource server must compare it with the certificate of its own connection */
      cnf: { 'x5t#S256': string };
      /** the bank's own id of the customer: the callers are the bank's own servers */
      sub?: string;
      openbanking_intent_id?: string;
      /** what the customer agreed to (RFC 9396 s9.2) */
      authorization_details?: readonly AccessDetails[];
    };

/** Access that a customer has agreed to, in the words of the Read/Write API. */
export interface AccessDetails {
  type: string;
  /** of the consent, which opens resources of this version and of newer ones */
  api_version: string;
  permissions: readonly string[];
  accounts: readonly { SchemeName: string; Identification: string; Name: string }[];
  expiration_date_time?: string;
  transaction_from_date_time?: string;
  transaction_to_date_time?: string;
}

/** Builds the answer. For a token that is not valid it has `active` alone (RFC 7662 s2.2). */
export function createIntrospectionResponse(
  token: IntrospectedToken | undefined,
  issuer: string,
): IntrospectionResponse {
  if (token === undefined) return { active: false };
  const { clientId, scope, issuedAt, expiresAt, certificateThumbprint, psuId, consentId, access } = token;
  return {
    active: true,
    iss: issuer,
    client_id: clientId,
    token_type: 'bearer',
    scope,
    iat: Math.floor(issuedAt.getTime() / 1_000),
    exp: Math.floor(expiresAt.getTime() / 1_000),
    cnf: { 'x5t#S256': certificateThumbprint },
    ...(psuId !== undefined && { sub: psuId }),
    ...(consentId !== undefined && { openbanking_intent_id: consentId }),
    ...(access !== undefined && { authorization_details: [toDetails(access)] }),
  };
}

function toDetails({ kind, apiVersion, terms, accounts }: NonNullable<IntrospectedToken['access']>): AccessDetails {
  const { permissions, expirationDateTime, transactionFromDateTime, transactionToDateTime } = terms;
  return {
    type: kind,
    api_version: apiVersion,
    permissions,
    accounts,
    ...(expirationDateTime !== undefined && { expiration_date_time: expirationDateTime }),
    ...(transactionFromDateTime !== undefined && { transaction_from_date_time: transactionFromDateTime }),
    ...(transactionToDateTime !== undefined && { transaction_to_date_time: transactionToDateTime }),
  };
}
