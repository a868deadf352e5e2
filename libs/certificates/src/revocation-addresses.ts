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

/** Where an authority says whether it has revoked a certificate: http and https addresses only. */
export interface RevocationAddresses {
  /** cRLDistributionPoints, RFC 5280 s4.2.1.13 */
  lists: readonly string[];
  /** OCSP responders of authorityInfoAccess, RFC 5280 s4.2.2.1 */
  responders: readonly string[];
}

/** No certificate needs more; the rest is left out. */
const maxAddresses = 4;

/**
 * Reads the addresses out of a certificate whose chain has been verified: nobody else's word may send us anywhere.
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
              // A point for some reasons only, or of another issuer, does not speak for all revocations of this one.
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
