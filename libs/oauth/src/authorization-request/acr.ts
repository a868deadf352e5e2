import { AccessDeniedError } from '../errors/protocol-errors.js';

/** OBIE security profile: strong customer authentication, and customer authentication where an exemption applies. */
export const ACR_SCA = 'urn:openbanking:psd2:sca';
export const ACR_CA = 'urn:openbanking:psd2:ca';
export const ACR_VALUES_SUPPORTED: readonly string[] = [ACR_SCA, ACR_CA];

/** The `acr` claim request: any of the values will do; essential means that nothing else will (OIDC Core s5.5.1.1). */
export interface AcrRequest {
  values: string[];
  essential: boolean;
}

/**
 * Throws AccessDeniedError if an essential acr is requested that is never reached here, before the customer is asked
 * for anything.
 */
export function assertAcrSupported(acr: AcrRequest | undefined): void {
  if (acr?.essential === true && !acr.values.some((value) => ACR_VALUES_SUPPORTED.includes(value))) {
    const supported = ACR_VALUES_SUPPORTED.join(' and ');
    throw new AccessDeniedError(`the essential acr is not supported; supported values: ${supported}`, {
      reason: 'acr',
    });
  }
}

/**
 * The `acr` for the ID tokens, given the level that was performed. Strong authentication also satisfies a request for
 * the weaker level. Throws AccessDeniedError if an essential acr was not reached.
 */
export function resolveAcr({ requested, performed }: { requested: AcrRequest | undefined; performed: string }): string {
  if (requested === undefined || requested.values.includes(performed)) return performed;
  if (performed === ACR_SCA && requested.values.includes(ACR_CA)) return ACR_CA;
  if (requested.essential) throw new AccessDeniedError('the requested acr was not achieved', { reason: 'acr' });
  return performed;
}
