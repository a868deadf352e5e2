import dns from 'node:dns';

/**
 * Makes this process resolve some host names to the loopback address, as /etc/hosts would.
 * @param suffix of the names
 * @returns a function that ends it
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
