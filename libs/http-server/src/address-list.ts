import { BlockList, isIP, isIPv6 } from 'node:net';

/** Addresses and CIDR ranges of a setting. */
export class AddressList {
  readonly #list = new BlockList();

  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', prefix] = entry.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (prefix === undefined) this.#list.addAddress(address, family);
      else this.#list.addSubnet(address, Number(prefix), family);
    }
  }

  /** @param address of the other side of a connection */
  has(address: string | undefined): boolean {
    if (address === undefined) return false;
    const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
    return isIP(plain) !== 0 && this.#list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  }
}
