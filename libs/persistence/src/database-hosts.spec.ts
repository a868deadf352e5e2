import { describe, expect, it } from '@jest/globals';
import { parseDatabaseHosts } from './database-hosts.js';

describe('the servers of a postgres:// URL', () => {
  it.each([
    ['postgres://user:p%40ss@db/name', [['db', 5432]], 'postgres://user:p%40ss@db/name'],
    ['postgres://user:$&$1$$$`@db/name', [['db', 5432]], 'postgres://user:$&$1$$$`@db/name'],
    ['postgresql://db:6432/name?sslmode=require', [['db', 6432]], 'postgresql://db:6432/name?sslmode=require'],
    [
      'postgres://u:p@first:5433,second,[::1]:5434/name?sslmode=require',
      [
        ['first', 5433],
        ['second', 5432],
        ['::1', 5434],
      ],
      'postgres://u:p@first:5433/name?sslmode=require',
    ],
  ])('%s', (url, hosts, firstUrl) => {
    const found = parseDatabaseHosts(url);
    expect({ hosts: found.hosts.map(({ host, port }) => [host, port]), firstUrl: found.firstUrl }).toEqual({
      hosts,
      firstUrl,
    });
  });

  it.each(['postgres://', 'postgres://a,,b/x', 'postgres://a:x/y', 'mysql://a/b'])('refuses %s', (url) => {
    expect(() => parseDatabaseHosts(url)).toThrow(TypeError);
  });
});
