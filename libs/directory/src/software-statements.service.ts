import { Injectable } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import type { TrustedDirectory } from '#libs/http-server';
import { JwsError, verifyJwsSignature } from '#libs/jws';
import { Directories } from './directories.service.js';
import { SoftwareStatementError, statementFault } from './directory.errors.js';
import { KeySets } from './key-sets.service.js';
import { organisationIdentifier } from './organisation-identifier.js';
import { parseSoftwareStatement, type ParsedSoftwareStatement } from './parse-software-statement.js';
import { permittedScopes } from './permitted-scopes.js';
import type { SoftwareStatement } from './software-statement.js';
import { parseSoftwareStatementClaims, present, type SoftwareStatementClaims } from './software-statement-claims.js';
import { findSoftwareStatementFaults } from './verify-software-statement.js';

/** Decides which software statements are accepted. */
@Injectable()
export class SoftwareStatements {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly directories: Directories,
    private readonly keySets: KeySets,
  ) {}

  /**
   * Verifies a software statement: form, trusted issuer, signature of the directory, claims, standing. Fetches nothing
   * for an untrusted issuer.
   * @param compact the JWS from the registration request
   * @throws SoftwareStatementError with the faults of the first step that found some
   * @throws KeySetError `unavailable` if the directory's keys are unavailable
   */
  async verify(compact: string): Promise<SoftwareStatement> {
    const parsed = parseSoftwareStatement(compact);
    const directory = this.#findDirectory(parsed);
    await this.#verifySignature(parsed, directory);
    return this.#toSoftwareStatement(parsed, this.#verifyClaims(parsed, directory), directory);
  }

  /** The claim is not verified yet: it only selects which configured keys to try. */
  #findDirectory({ claims }: ParsedSoftwareStatement): TrustedDirectory {
    const directory = this.directories.find(claims.iss);
    if (directory !== undefined) return directory;
    const message = 'The software statement was not issued by a directory that this service trusts.';
    throw new SoftwareStatementError([
      statementFault('unapproved_software_statement', 'Signature.InvalidClaim', 'iss', message),
    ]);
  }

  async #verifySignature({ jws, algorithm, kid }: ParsedSoftwareStatement, directory: TrustedDirectory): Promise<void> {
    const keys = await this.keySets.findDirectoryKeys(directory, { algorithm, kid });
    try {
      await verifyJwsSignature({ jws, algorithm, keys });
    } catch (cause) {
      if (!(cause instanceof JwsError)) throw cause;
      const message = "The signature of the software statement is not the directory's.";
      throw new SoftwareStatementError(
        [statementFault('invalid_software_statement', 'Signature.Invalid', undefined, message)],
        { cause },
      );
    }
  }

  #verifyClaims(
    parsed: ParsedSoftwareStatement,
    { keyHosts, environments }: TrustedDirectory,
  ): SoftwareStatementClaims {
    const result = parseSoftwareStatementClaims(parsed.claims);
    if ('faults' in result) throw new SoftwareStatementError(result.faults);
    const { directory, registration } = this.config;
    const [first, ...others] = findSoftwareStatementFaults(result.claims, {
      keyHosts,
      environments,
      allowPrivateAddresses: directory.allowPrivateAddresses,
      maxAgeSeconds: directory.softwareStatementMaxAgeSeconds,
      furtherKeySets: [
        ...(directory.revokedKeysSeconds > 0 ? (['software_jwks_revoked_endpoint'] as const) : []),
        ...(registration.requireListedCertificate ? (['org_jwks_endpoint'] as const) : []),
      ],
      now: this.clock.now(),
    });
    if (first !== undefined) throw new SoftwareStatementError([first, ...others]);
    return result.claims;
  }

  #toSoftwareStatement(
    { compact, claims }: ParsedSoftwareStatement,
    typed: SoftwareStatementClaims,
    directory: TrustedDirectory,
  ): SoftwareStatement {
    const { competentAuthority } = typed;
    const identifier = competentAuthority === undefined ? undefined : organisationIdentifier(competentAuthority);
    // In production the competent authority must grant the role too; the sandbox directory has no register.
    const isProduction = typed.softwareEnvironment.toLowerCase() === 'production';
    return {
      compact,
      claims,
      softwareId: typed.softwareId,
      ...present('softwareClientId', typed.softwareClientId),
      clientName: typed.softwareClientName ?? typed.softwareId,
      ...present('clientUri', typed.softwareClientUri),
      orgId: typed.orgId,
      orgName: typed.orgName ?? typed.orgId,
      ...present('onBehalfOfOrg', typed.softwareOnBehalfOfOrg),
      ...present('organisationIdentifier', identifier),
      redirectUris: typed.softwareRedirectUris,
      permittedScopes: permittedScopes({
        roles: typed.softwareRoles,
        authorisations: isProduction ? competentAuthority?.authorisations : undefined,
        withCrownDependencies: this.config.directory.crownDependencyRoles,
      }),
      jwksUri: typed.softwareJwksEndpoint,
      ...present('jwksRevokedUri', typed.softwareJwksRevokedEndpoint),
      ...present('orgJwksUri', typed.orgJwksEndpoint),
      directoryIssuer: directory.issuer,
    };
  }
}
