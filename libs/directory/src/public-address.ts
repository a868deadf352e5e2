import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Networks that are not public: private, loopback, link-local, shared, documentation, benchmark, multicast, reserved.
 */
const ipv4Networks: readonly [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

const ipv6Networks: readonly [network: string, prefix: number][] = [
  ['::', 96], // unspecified, loopback, IPv4-compatible
  ['::ffff:0:0', 96], // IPv4-mapped: refused as a whole, nobody's key store needs it
  ['64:ff9b::', 96], // NAT64
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23], // Teredo and protocol assignments
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4 can embed a private address
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

// One list for each family: Node compares IPv4 addresses with IPv4-mapped networks too.
const ipv4NotPublic = new BlockList();
for (const [network, prefix] of ipv4Networks) ipv4NotPublic.addSubnet(network, prefix, 'ipv4');
const ipv6NotPublic = new BlockList();
for (const [network, prefix] of ipv6Networks) ipv6NotPublic.addSubnet(network, prefix, 'ipv6');

/**
 * @param address IPv4 or IPv6, without brackets
 * @returns whether the address can belong to a server on the public Internet; false for anything that is not an address
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !ipv4NotPublic.check(address, 'ipv4');
  return isIPv6(address) && !ipv6NotPublic.check(address, 'ipv6');
}
