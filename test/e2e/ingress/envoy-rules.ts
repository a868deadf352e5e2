import { expect } from '@jest/globals';
import { load } from 'js-yaml';
import { forwardedCertificateHeaders } from '#libs/certificates';
import { apps, at, formPaths, hosts, ports, suites, type Exception, type Node } from './yaml-node.js';

/** @throws when the text is not of the form that the rules are about */
export function parseEnvoy(text: string): Node {
  // Envoy's own mark on a key; everything it holds is only there to be referred to.
  expect(text).toContain('\n!ignore common:');
  const { common: _common, ...envoy } = load(text.replace('!ignore common:', 'common:')) as Node;
  return envoy;
}

const listener = (envoy: Node, app: string): Node => {
  const found = at<Node[]>(envoy, 'static_resources', 'listeners').find(({ name }) => name === app);
  if (!found) throw new Error(`There is no listener ${app}.`);
  return found;
};
const chain = (envoy: Node, app: string): Node => at(listener(envoy, app), 'filter_chains', 0);
const tls = (envoy: Node, app: string): Node => at(chain(envoy, app), 'transport_socket', 'typed_config');
const manager = (envoy: Node, app: string): Node => at(chain(envoy, app), 'filters', 0, 'typed_config');

/** Every header but Envoy's own. */
const foreignHeaders = Object.values(forwardedCertificateHeaders)
  .flat()
  .filter((name) => name !== 'x-forwarded-client-cert');

/** Rules for the configuration; each throws if it is broken. */
export const envoyRules: Readonly<Record<string, (envoy: Node) => void>> = {
  'there is nothing but listeners and clusters': (envoy) => {
    expect(Object.keys(envoy)).toEqual(['static_resources']);
    expect(Object.keys(at(envoy, 'static_resources')).sort()).toEqual(['clusters', 'listeners']);
    expect(at(envoy, 'static_resources', 'listeners')).toHaveLength(apps.length);
    expect(at(envoy, 'static_resources', 'clusters')).toHaveLength(apps.length);
  },

  'a listener for each profile, on an address of its own, with a certificate of its own': (envoy) => {
    const addresses = apps.map((app) => at<string>(listener(envoy, app), 'address', 'socket_address', 'address'));
    const certificates = apps.map((app) => {
      const [only, ...others] = at<Node[]>(tls(envoy, app), 'common_tls_context', 'tls_certificates');
      expect(others).toEqual([]);
      const [name, file] = ['certificate_chain', 'private_key'].map((part) => at<string>(only, part, 'filename'));
      expect(name).toMatch(/\/(auth|token|api)-certificate\.pem$/);
      return [name, file].join();
    });
    expect(new Set(addresses).size).toBe(apps.length);
    expect(new Set(certificates).size).toBe(apps.length);
    for (const app of apps) {
      expect(at(listener(envoy, app), 'address', 'socket_address')).toMatchObject({ port_value: 443 });
      expect(at<unknown[]>(listener(envoy, app), 'filter_chains')).toHaveLength(1);
      expect(at(chain(envoy, app), 'filters')).toHaveLength(1);
    }
  },

  'no handshake for another name in the ClientHello': (envoy) => {
    for (const app of apps) {
      expect(at(chain(envoy, app), 'filter_chain_match', 'server_names')).toEqual([hosts[app]]);
      expect(at(listener(envoy, app), 'listener_filters')).toMatchObject([
        { typed_config: { '@type': expect.stringMatching(/TlsInspector$/) } },
      ]);
    }
  },

  'TLS 1.2 and 1.3, two suites, nothing resumed': (envoy) => {
    for (const app of apps) {
      expect(at(chain(envoy, app), 'transport_socket', 'name')).toBe('envoy.transport_sockets.tls');
      expect(at(tls(envoy, app), 'common_tls_context', 'alpn_protocols')).toEqual(['http/1.1']);
      expect(at(tls(envoy, app), 'common_tls_context', 'tls_params')).toEqual({
        tls_minimum_protocol_version: 'TLSv1_2',
        tls_maximum_protocol_version: 'TLSv1_3',
        cipher_suites: suites,
      });
      expect(tls(envoy, app)).toMatchObject({
        '@type': expect.stringMatching(/DownstreamTlsContext$/),
        disable_stateless_session_resumption: true,
        disable_stateful_session_resumption: true,
      });
    }
  },

  'a certificate demanded for the token endpoint, asked for at the API, and of no customer': (envoy) => {
    expect(tls(envoy, 'token')).toMatchObject({ require_client_certificate: true });
    expect(tls(envoy, 'api')).toMatchObject({ require_client_certificate: false });
    expect(tls(envoy, 'authorize')).toMatchObject({ require_client_certificate: false });
    for (const app of ['token', 'api']) {
      expect(at(tls(envoy, app), 'common_tls_context', 'validation_context', 'trusted_ca', 'filename')).toMatch(
        /client-authorities/,
      );
    }
    expect(at(tls(envoy, 'authorize'), 'common_tls_context')).not.toHaveProperty('validation_context');
  },

  'the certificate of the connection is passed on, and nothing that a client sent': (envoy) => {
    for (const app of ['token', 'api']) {
      expect(manager(envoy, app)).toMatchObject({
        forward_client_cert_details: 'SANITIZE_SET',
        set_current_client_cert_details: { cert: true, chain: true },
      });
    }
    expect(manager(envoy, 'authorize')).toMatchObject({ forward_client_cert_details: 'SANITIZE' });
    for (const app of apps) {
      const removed = at<string[]>(manager(envoy, app), 'route_config', 'request_headers_to_remove');
      expect([...removed].sort()).toEqual([...foreignHeaders].sort());
    }
  },

  'another host gets 421': (envoy) => {
    for (const app of apps) {
      const [own, rest, ...others] = at<Node[]>(manager(envoy, app), 'route_config', 'virtual_hosts');
      expect(own).toMatchObject({ domains: [hosts[app], `${hosts[app]}:443`] });
      const routes = at<Node[]>(own, 'routes');
      expect(routes.at(-1)).toMatchObject({ match: { prefix: '/' }, route: { cluster: app } });
      expect(routes).toHaveLength(app === 'authorize' ? 2 : 1);
      expect(rest).toMatchObject({
        domains: ['*'],
        routes: [{ match: { prefix: '/' }, direct_response: { status: 421 } }],
      });
      expect(others).toEqual([]);
    }
  },

  'nobody may be slow, nor ask too much': (envoy) => {
    for (const app of apps) {
      expect(at(chain(envoy, app), 'transport_socket_connect_timeout')).toBe('10s');
      expect(at(manager(envoy, app), 'request_headers_timeout')).toBe('10s');
      const full = { default_value: { numerator: 100, denominator: 'HUNDRED' } };
      expect(at(manager(envoy, app), 'http_filters')).toMatchObject([
        {
          name: 'envoy.filters.http.local_ratelimit',
          typed_config: {
            '@type': expect.stringMatching(/LocalRateLimit$/),
            token_bucket: { max_tokens: 1_000, tokens_per_fill: 1_000, fill_interval: '1s' },
            filter_enabled: full,
            filter_enforced: full,
          },
        },
        { name: 'envoy.filters.http.router' },
      ]);
    }
  },

  'what Envoy answers itself has an interaction id and the seconds to wait': (envoy) => {
    const statuses = [
      ['EQ', 429],
      ['GE', 502],
    ].map(([op, default_value]) => ({
      status_code_filter: { comparison: { op, value: { default_value, runtime_key: expect.any(String) } } },
    }));
    const headers_to_add = [
      { header: { key: 'retry-after', value: '2' } },
      { header: { key: 'x-fapi-interaction-id', value: '%REQ(x-fapi-interaction-id?x-request-id)%' } },
    ];
    const mapper = { filter: { or_filter: { filters: statuses } }, headers_to_add };
    for (const app of apps) expect(at(manager(envoy, app), 'local_reply_config')).toEqual({ mappers: [mapper] });
  },

  'passwords and one-time codes are limited for each address': (envoy) => {
    expect(manager(envoy, 'authorize')).toMatchObject({ use_remote_address: true });
    const {
      match,
      route,
      typed_per_filter_config: limits,
    } = at<Node>(manager(envoy, 'authorize'), 'route_config', 'virtual_hosts', 0, 'routes', 0);
    expect(route).toMatchObject({ cluster: 'authorize' });
    expect(at(match, 'headers')).toEqual([{ name: ':method', string_match: { exact: 'POST' } }]);
    const isForm = new RegExp(`^(?:${at<string>(match, 'safe_regex', 'regex')})$`);
    for (const path of formPaths) expect(path).toMatch(isForm);
    for (const path of ['/', '/sign-in/', '/oauth2/authorize', '/approvals']) expect(path).not.toMatch(isForm);
    const full = { default_value: { numerator: 100, denominator: 'HUNDRED' } };
    expect(limits).toEqual({
      'envoy.filters.http.local_ratelimit': {
        '@type': expect.stringMatching(/LocalRateLimit$/),
        stat_prefix: expect.any(String),
        token_bucket: { max_tokens: 1_000, tokens_per_fill: 1_000, fill_interval: '1s' },
        filter_enabled: full,
        filter_enforced: full,
        max_dynamic_descriptors: 100_000,
        rate_limits: [{ actions: [{ masked_remote_address: { v4_prefix_mask_len: 32, v6_prefix_mask_len: 64 } }] }],
        descriptors: [
          {
            // Without a value: a bucket for each network.
            entries: [{ key: 'masked_remote_address' }],
            token_bucket: { max_tokens: 30, tokens_per_fill: 30, fill_interval: '60s' },
          },
        ],
      },
    });
  },

  'the hop is mutual TLS, verified': (envoy) => {
    for (const app of apps) {
      const cluster = at<Node[]>(envoy, 'static_resources', 'clusters').find(({ name }) => name === app);
      const endpoints = ['load_assignment', 'endpoints', 0, 'lb_endpoints', 0, 'endpoint', 'address', 'socket_address'];
      expect(at(cluster, ...endpoints)).toEqual({ address: `${app}.internal`, port_value: ports[app] });
      expect(at(cluster, 'transport_socket', 'name')).toBe('envoy.transport_sockets.tls');
      const hop = at(cluster, 'transport_socket', 'typed_config');
      expect(at(hop, '@type')).toMatch(/UpstreamTlsContext$/);
      expect(at(hop, 'sni')).toBe(hosts[app]);
      const context = at(hop, 'common_tls_context');
      expect(at(context, 'tls_params')).toEqual({
        tls_minimum_protocol_version: 'TLSv1_2',
        tls_maximum_protocol_version: 'TLSv1_3',
      });
      expect(at(context, 'tls_certificates')).toEqual([
        {
          certificate_chain: { filename: '/etc/envoy/tls/hop-certificate.pem' },
          private_key: { filename: '/etc/envoy/tls/hop-key.pem' },
        },
      ]);
      expect(at(context, 'validation_context')).toEqual({
        trusted_ca: { filename: '/etc/envoy/tls/application-authorities.pem' },
        match_typed_subject_alt_names: [{ san_type: 'DNS', matcher: { exact: hosts[app] } }],
      });
    }
  },
};

/** Places whose removal opens nothing. */
export const envoyExceptions: readonly Exception[] = [
  { path: /(^|\.)name$/, because: 'a name for people and for statistics, or one that Envoy does not start without' },
  { path: /\.(@type|stat_prefix|cluster_name)$/, because: 'Envoy does not start without' },
  { path: /\.max_request_headers_kb$/, because: 'allows more than the default' },
  { path: /\.retry_policy(\.|$)/, because: 'a request whose connection was refused is sent again' },
  { path: /\.clusters\.\d\.(type|lb_policy|connect_timeout)$/, because: 'how instances are found and chosen' },
  { path: /\.http_filters\.1\.typed_config$/, because: 'Envoy does not start without' },
];
