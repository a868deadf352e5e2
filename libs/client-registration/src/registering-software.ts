/** What registration needs to know about the verified software statement. */
export interface RegisteringSoftware {
  /** the software statement as it was sent */
  compact: string;
  softwareId: string;
  softwareClientId?: string;
  clientName: string;
  /** the software's site */
  clientUri?: string;
  orgId: string;
  orgName: string;
  organisationIdentifier?: string;
  /** for whom an agent acts */
  onBehalfOfOrg?: string;
  redirectUris: readonly string[];
  permittedScopes: readonly string[];
  jwksUri: string;
  jwksRevokedUri?: string;
  /** `iss` of the statement */
  directoryIssuer: string;
}
