import { expect } from '@jest/globals';
import { apps, at, hosts, ports, type Exception, type Node } from './yaml-node.js';

const listener = (envoy: Node, app: string): Node => {
  const found = at<Node[]>(envoy, 'static_resources', 'listeners').find(({ name }) => name === app);
  if (!found) throw new Error(`There is no listener ${app}.`);
  return found;
};

/** Rules for the configuration that passes TLS through; each throws if it is broken. */
export const envoyPassThroughRules: Readonly<Record<string, (envoy: Node) => void>> = {
  'there is a listener and a cluster for each application, and nothing else': (envoy) => {
    expect(Object.keys(envoy)).toEqual(['static_resources']);
    expect(Object.keys(at(envoy, 'static_resources')).sort()).toEqual(['clusters', 'listeners']);
    expect(at(envoy, 'static_resources', 'listeners')).toHaveLength(apps.length);
    expect(at(envoy, 'static_resources', 'clusters')).toHaveLength(apps.length);
    const addresses = apps.map((app) => at<string>(listener(envoy, app), 'address', 'socket_address', 'address'));
    expect(new Set(addresses).size).toBe(apps.length);
    for (const app of apps) expect(at(listener(envoy, app), 'address', 'socket_address', 'port_value')).toBe(443);
  },

  'what is for another host, or says nothing, leads nowhere': (envoy) => {
    for (const app of apps) {
      const { filter_chains: chains, listener_filters: filters } = listener(envoy, app);
      expect(chains).toHaveLength(1);
      expect(at(chains, 0, 'filter_chain_match')).toEqual({ server_names: [hosts[app]] });
      expect(filters).toMatchObject([{ typed_config: { '@type': expect.stringMatching(/TlsInspector$/) } }]);
      expect(at(listener(envoy, app), 'listener_filters_timeout')).toBe('5s');
    }
  },

  'TLS goes on as it comes, to its application': (envoy) => {
    for (const app of apps) {
      const chain = at<Node>(listener(envoy, app), 'filter_chains', 0);
      expect(chain).not.toHaveProperty('transport_socket');
      const [only, ...others] = at<Node[]>(chain, 'filters');
      expect(others).toEqual([]);
      expect(only).toMatchObject({
        name: 'envoy.filters.network.tcp_proxy',
        typed_config: { '@type': expect.stringMatching(/TcpProxy$/), cluster: app, idle_timeout: '75s' },
      });
    }
  },

  'the applications are told where clients are': (envoy) => {
    for (const app of apps) {
      const cluster = at<Node[]>(envoy, 'static_resources', 'clusters').find(({ name }) => name === app);
      const endpoints = ['load_assignment', 'endpoints', 0, 'lb_endpoints', 0, 'endpoint', 'address', 'socket_address'];
      expect(at(cluster, ...endpoints)).toEqual({ address: `${app}.internal`, port_value: ports[app] });
      expect(at(cluster, 'transport_socket')).toEqual({
        name: 'envoy.transport_sockets.upstream_proxy_protocol',
        typed_config: {
          '@type': expect.stringMatching(/ProxyProtocolUpstreamTransport$/),
          config: { version: 'V2' },
          transport_socket: {
            name: 'envoy.transport_sockets.raw_buffer',
            typed_config: { '@type': expect.stringMatching(/RawBuffer$/) },
          },
        },
      });
    }
  },
};

/** Places whose removal opens nothing. */
export const envoyPassThroughExceptions: readonly Exception[] = [
  { path: /\.listener_filters\.0\.name$/, because: 'Envoy does not start without' },
  { path: /\.(stat_prefix|cluster_name)$/, because: 'Envoy does not start without' },
  { path: /\.max_connect_attempts$/, because: 'an instance that does not take the connection' },
  { path: /\.clusters\.\d\.(type|lb_policy|connect_timeout)$/, because: 'how instances are found and chosen' },
];
