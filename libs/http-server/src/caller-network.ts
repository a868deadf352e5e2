import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '#libs/config';

/** @returns where the caller is; undefined behind an ingress, where every request comes from the ingress' own address */
export function callerNetwork(config: Pick<Config, 'tls'>, request: Pick<FastifyRequest, 'ip'>): string | undefined {
  return config.tls.clientCertificateSource === 'tls' ? networkOf(request.ip) : undefined;
}

/** @returns what one customer line has: an IPv4 address, the first 64 bits of an IPv6 one */
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
