import dns from 'node:dns';

/**
 * Has this process find some host names at the loopback address, as /etc/hosts would.
 * @param suffix of the names
 * @returns ends it
 */
export function resolveToLoopback(suffix: string): () => void {
  const lookup = dns.lookup;
  const replaced = (hostname: string, ...rest: unknown[]): unknown =>
    Reflect.apply(lookup, dns, [hostname.endsWith(suffix) ? '127.0.0.1' : hostname, ...rest]);
  dns.lookup = replaced as typeof dns.lookup;
  return () => {
    dns.lookup = lookup;
  };
}
