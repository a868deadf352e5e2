import 'reflect-metadata'; // @peculiar/x509 needs it
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';

/** Document signing, the purpose of OB signing and OBSeal certificates; it must not open a TLS connection. */
const documentSigning = '1.3.6.1.4.1.311.10.3.12';

/** qcStatements (RFC 3739 s3.2.6) with the one statement that the certificate is for a web site (ETSI EN 319 412-5). */
const qcStatements = '1.3.6.1.5.5.7.1.3';
const qcTypeWeb = Buffer.from('30153013060604008e4601063009060704008e46010603', 'hex');

/** The purpose of a certificate, which determines its extensions. */
export type CertificateProfile = 'authority' | 'server' | 'transport' | 'signing' | 'bank-client';

/**
 * @param profile the purpose of the certificate
 * @returns its extensions, without the key identifiers
 */
export function extensionsOf(profile: CertificateProfile): Extension[] {
  switch (profile) {
    case 'authority':
      return [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      ];
    case 'server':
      return [
        ...leaf(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, [ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension([
          { type: 'dns', value: 'localhost' },
          { type: 'ip', value: '127.0.0.1' },
          { type: 'ip', value: '::1' },
        ]),
      ];
    case 'transport':
      return [
        ...leaf(KeyUsageFlags.digitalSignature, [ExtendedKeyUsage.clientAuth, ExtendedKeyUsage.serverAuth]),
        new Extension(qcStatements, false, qcTypeWeb),
      ];
    case 'signing':
      return leaf(KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation, [documentSigning]);
    case 'bank-client':
      return leaf(KeyUsageFlags.digitalSignature, [ExtendedKeyUsage.clientAuth]);
  }
}

function leaf(usage: KeyUsageFlags, purposes: string[]): Extension[] {
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(usage, true),
    new ExtendedKeyUsageExtension(purposes),
  ];
}
