/**
 * A verified software statement (RFC 7591 s2.3) of the Open Banking directory, reduced to what the service relies on.
 */
export interface SoftwareStatement {
  /** the JWS as it was sent */
  compact: string;
  /** all claims, for the answer to the registration */
  claims: Readonly<Record<string, unknown>>;
  softwareId: string;
  /** a second name of the same software; the same value in practice */
  softwareClientId?: string;
  clientName: string;
  /** the software's site; nothing is ever fetched from it */
  clientUri?: string;
  orgId: string;
  orgName: string;
  /** for whom an agent acts */
  onBehalfOfOrg?: string;
  /** ETSI TS 119 495 identifier of the organisation, when its competent authority is known */
  organisationIdentifier?: string;
  redirectUris: readonly string[];
  /** what the software's roles allow; `openid` always */
  permittedScopes: readonly string[];
  jwksUri: string;
  /** of the keys that the directory has revoked */
  jwksRevokedUri?: string;
  /** key set of the organisation, for its certificates */
  orgJwksUri?: string;
  /** `iss`: one of the trusted directories */
  directoryIssuer: string;
}
