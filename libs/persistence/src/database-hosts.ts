/** One server of the database. */
export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

const defaultPort = 5432;
const authority = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]+)/;

/**
 * Reads a postgres:// URL that may name several servers, as in libpq:
 * `postgres://user@first:5432,second:5432/database`.
 * @returns the servers, and the URL with the first of them only
 * @throws TypeError if it is not such a URL
 */
export function parseDatabaseHosts(url: string): { hosts: DatabaseHost[]; firstUrl: string } {
  const [, start, list] = authority.exec(url) ?? [];
  if (start === undefined || list === undefined) throw new TypeError('Not a postgres:// URL with a host.');
  const [first = ''] = list.split(',');
  return {
    hosts: list.split(',').map(parseHost),
    firstUrl: `${start}${first}${url.slice(start.length + list.length)}`,
  };
}

function parseHost(entry: string): DatabaseHost {
  const url = `postgres://${entry}`;
  if (!URL.canParse(url) || new URL(url).hostname === '') throw new TypeError('One of its hosts is not host:port.');
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? defaultPort : Number(port) };
}
