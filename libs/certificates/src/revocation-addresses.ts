import type { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AuthorityInfoAccessSyntax,
  CRLDistributionPoints,
  id_ad_ocsp,
  id_ce_cRLDistributionPoints,
  id_pe_authorityInfoAccess,
  type GeneralName,
} from '@peculiar/asn1-x509';
import { certificateFieldsOf } from './certificate-fields.js';

/** Addresses of revocation information: only http and https. */
export interface RevocationAddresses {
  /** cRLDistributionPoints, RFC 5280 s4.2.1.13 */
  lists: readonly string[];
  /** OCSP responders of authorityInfoAccess, RFC 5280 s4.2.2.1 */
  responders: readonly string[];
}

/** No certificate needs more; further ones are ignored. */
const maxAddresses = 4;

/**
 * Reads the addresses from a certificate whose chain has been verified; unverified addresses must not be fetched.
 * @throws CertificateError `malformed`; Error of the ASN.1 parser when an extension is not what it should be
 */
export function revocationAddressesOf(certificate: X509Certificate): RevocationAddresses {
  const { extensions } = certificateFieldsOf(certificate);
  const points = extensions.get(id_ce_cRLDistributionPoints);
  const access = extensions.get(id_pe_authorityInfoAccess);
  return {
    lists:
      points === undefined
        ? []
        : toAddresses(
            AsnConvert.parse(points.value, CRLDistributionPoints)
              // A point for only some reasons, or of another issuer, does not cover all revocations of this issuer.
              .filter(({ reasons, cRLIssuer }) => reasons === undefined && cRLIssuer === undefined)
              .flatMap(({ distributionPoint }) => distributionPoint?.fullName ?? []),
          ),
    responders:
      access === undefined
        ? []
        : toAddresses(
            AsnConvert.parse(access.value, AuthorityInfoAccessSyntax)
              .filter(({ accessMethod }) => accessMethod === id_ad_ocsp)
              .map(({ accessLocation }) => accessLocation),
          ),
  };
}

function toAddresses(names: readonly GeneralName[]): string[] {
  return names
    .map(({ uniformResourceIdentifier }) => uniformResourceIdentifier)
    .filter((uri) => uri !== undefined && uri.length <= 2_000 && /^https?:\/\//i.test(uri) && URL.canParse(uri))
    .map(String)
    .slice(0, maxAddresses);
}
