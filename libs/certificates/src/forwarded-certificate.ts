import { X509Certificate } from 'node:crypto';
import { CertificateError } from './certificate.errors.js';

/** The form in which an ingress passes the client's certificate on; exactly one is configured. */
export type ForwardedCertificateFormat = 'client-cert' | 'nginx' | 'envoy';

/** A client certificate from a header, not verified. */
export interface ForwardedCertificate {
  certificate: X509Certificate;
  /** the rest of the chain as far as the ingress passes it on */
  intermediates: X509Certificate[];
}

/** Request headers with names in lower case, as Node gives them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The headers, in lower case, that each form is read from. */
export const forwardedCertificateHeaders: Record<ForwardedCertificateFormat, readonly string[]> = {
  'client-cert': ['client-cert', 'client-cert-chain'],
  nginx: ['ssl-client-cert'],
  envoy: ['x-forwarded-client-cert'],
};

/** Similar to Node's own limit for all headers together. */
const maxHeaderLength = 32_768;

/**
 * Reads the certificate that an ingress passed on. The caller decides whether to trust that ingress.
 * @param format the configured form; headers of the other forms are ignored
 * @returns undefined if there is no header, or one that is not exactly what the form prescribes
 */
export function parseForwardedCertificate(
  format: ForwardedCertificateFormat,
  headers: RequestHeaders,
): ForwardedCertificate | undefined {
  try {
    return parsers[format](headers);
  } catch {
    // Garbage in a header is the same as no certificate; the parsers below throw whatever their libraries throw.
    return undefined;
  }
}

const parsers: Record<ForwardedCertificateFormat, (headers: RequestHeaders) => ForwardedCertificate | undefined> = {
  'client-cert': parseClientCertFields,
  nginx: parseEscapedPemField,
  envoy: parseForwardedClientCertField,
};

/** RFC 9440 s2: `Client-Cert` and `Client-Cert-Chain`, byte sequences of RFC 8941. */
function parseClientCertFields(headers: RequestHeaders): ForwardedCertificate | undefined {
  const field = singleValue(headers['client-cert']);
  if (field === undefined) return undefined;
  const chain = singleValue(headers['client-cert-chain']);
  return {
    certificate: parseByteSequence(field),
    intermediates: chain === undefined ? [] : chain.split(',').map((item) => parseByteSequence(item.trim())),
  };
}

/** nginx: `proxy_set_header SSL-Client-Cert $ssl_client_escaped_cert;` */
function parseEscapedPemField(headers: RequestHeaders): ForwardedCertificate | undefined {
  const field = singleValue(headers['ssl-client-cert']);
  return field === undefined ? undefined : { certificate: parseEscapedCertificate(field), intermediates: [] };
}

/** Envoy: `x-forwarded-client-cert`. Each proxy appends an element; the last one is the nearest proxy's. */
function parseForwardedClientCertField(headers: RequestHeaders): ForwardedCertificate | undefined {
  const field = singleValue(headers['x-forwarded-client-cert']);
  if (field === undefined) return undefined;
  const element = splitOutsideQuotes(field, ',').at(-1) ?? '';
  const pairs = splitOutsideQuotes(element, ';').map(parsePair);
  const certificates = pairs.filter(([key]) => key === 'cert');
  const chains = pairs.filter(([key]) => key === 'chain');
  if (certificates.length !== 1 || chains.length > 1) return undefined;
  const certificate = parseEscapedCertificate(certificates[0]?.[1] ?? '');
  const chain = parseCertificates(decodeURIComponent(chains[0]?.[1] ?? ''));
  return { certificate, intermediates: chain.filter((other) => !other.raw.equals(certificate.raw)) };
}

/** A repeated header counts as absent: one of the two may be the peer's own. */
function singleValue(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  if (value.length > maxHeaderLength) throw new RangeError('The header is too long.');
  return value;
}

function parseByteSequence(item: string): X509Certificate {
  const base64 = /^:([A-Za-z0-9+/]+={0,2}):$/.exec(item)?.[1];
  if (base64 === undefined) throw new SyntaxError('Not one byte sequence.');
  const der = Buffer.from(base64, 'base64');
  const certificate = new X509Certificate(der);
  if (!certificate.raw.equals(der)) throw new SyntaxError('Bytes around the certificate.');
  return certificate;
}

function parseEscapedCertificate(value: string): X509Certificate {
  const pem = decodeURIComponent(value).trim();
  const [certificate, ...others] = parseCertificates(pem);
  // Nothing before, between or after: text around a certificate is a comment in a file, but not in a header.
  const isWhole = pem.startsWith('-----BEGIN') && pem.endsWith('CERTIFICATE-----');
  if (certificate === undefined || others.length > 0 || !isWhole) throw new SyntaxError('Not one certificate.');
  return certificate;
}

function parsePair(pair: string): [key: string, value: string] {
  const equals = pair.indexOf('=');
  const value = pair.slice(equals + 1).trim();
  const unquoted = /^"(.*)"$/s.exec(value)?.[1]?.replaceAll('\\"', '"') ?? value;
  return [pair.slice(0, Math.max(equals, 0)).trim().toLowerCase(), unquoted];
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [''];
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (isQuoted && character === '\\') {
      parts.push(`${parts.pop() ?? ''}${text.slice(index, index + 2)}`);
      index += 1;
      continue;
    }
    if (character === '"') isQuoted = !isQuoted;
    if (character === separator && !isQuoted) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${character}`);
  }
  if (isQuoted) throw new SyntaxError('A quoted value without its closing quote.');
  return parts;
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/**
 * @param pem one or several certificates one after the other; text between them is a comment (RFC 7468 s5.2)
 * @returns them in the same order, empty when there is none
 * @throws CertificateError `malformed` if one of them cannot be read
 */
function parseCertificates(pem: string): X509Certificate[] {
  return (pem.match(pemCertificate) ?? []).map(parsePemCertificate);
}

function parsePemCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new CertificateError('malformed', 'A PEM certificate cannot be read.', { cause });
  }
}
