import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '#libs/config';
import { AddressList } from './address-list.js';

/**
 * Distinguishes callers by their address: not possible behind an ingress that ends TLS, or if the address is the
 * ingress's own. Indistinguishable callers are not counted, because one of them would use up everybody's share.
 * @returns a caller's network; undefined if unknown
 */
export function createCallerNetwork({
  tls,
}: Pick<Config, 'tls'>): (request: Pick<FastifyRequest, 'ip'>) => string | undefined {
  if (tls.clientCertificateSource !== 'tls') return () => undefined;
  const ingress = new AddressList(tls.ingressAddresses);
  return ({ ip }) => (ingress.has(ip) ? undefined : networkOf(ip));
}

/** @returns the network of one customer line: an IPv4 address, or the first 64 bits of an IPv6 address */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
