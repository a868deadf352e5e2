import { X509Certificate } from 'node:crypto';

/** The headers in which an ingress forwards a client's certificate. */
export const forwardedForms = ['client-cert', 'nginx', 'envoy'] as const;
export type ForwardedForm = (typeof forwardedForms)[number];

export const forwardedHeaderNames = ['client-cert', 'client-cert-chain', 'ssl-client-cert', 'x-forwarded-client-cert'];

/**
 * @param form RFC 9440, nginx or Envoy
 * @param certificate PEM
 * @returns name and value of the header, as an ingress would write it
 */
export function forwardedHeader(form: ForwardedForm, certificate: string): readonly [name: string, value: string] {
  const parsed = new X509Certificate(certificate);
  const escaped = encodeURIComponent(parsed.toString());
  switch (form) {
    case 'client-cert':
      return ['client-cert', `:${parsed.raw.toString('base64')}:`];
    case 'nginx':
      return ['ssl-client-cert', escaped];
    case 'envoy':
      return ['x-forwarded-client-cert', `Hash=${'0'.repeat(64)};Cert="${escaped}"`];
  }
}
