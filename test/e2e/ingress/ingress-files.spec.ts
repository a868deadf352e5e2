import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { load, loadAll } from 'js-yaml';
import { forwardedCertificateHeaders } from '#libs/certificates';
import { appNames as apps, bankHosts as hosts } from './bank-host.js';

/** A map of a YAML document. */
type Node = Record<string, unknown>;

const ports = { authorize: 8441, token: 8442, api: 8443 } as const;
const suites = ['ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES128-GCM-SHA256'];

/** Every form with a password or a one-time code. */
const formPaths = [
  ...['', '/approvals'].flatMap((area) =>
    ['sign-in', 'second-factor', 'second-factor/again', 'challenge', 'challenge/again'].map(
      (form) => `${area}/${form}`,
    ),
  ),
  // These have the bank send a message.
  '/consent',
  '/approvals/approve',
];

/** Places in a document that protect nothing, with the reason. */
interface Exception {
  readonly path: RegExp;
  readonly because: string;
}

/** @returns the member at this place, which must be there */
function at<Value = Node>(node: unknown, ...path: (string | number)[]): Value {
  let current: unknown = node;
  for (const step of path) {
    current = (current as Record<string | number, unknown> | undefined)?.[step];
    if (current === undefined) throw new Error(`There is no ${path.join('.')}.`);
  }
  return current as Value;
}

/** @returns every place in a document, as the steps to it; for a value referred to several times, the first place */
function placesOf(node: unknown, path: readonly string[] = [], seen: Set<unknown> = new Set()): (readonly string[])[] {
  if (typeof node !== 'object' || node === null || seen.has(node)) return [];
  seen.add(node);
  return Object.entries(node).flatMap(([step, value]) => [[...path, step], ...placesOf(value, [...path, step], seen)]);
}

/** @returns a copy without the value at this place; a value referred to is removed everywhere */
function without<Document>(document: Document, path: readonly string[]): Document {
  const copy = structuredClone(document);
  const parent = at(copy, ...path.slice(0, -1));
  const step = path.at(-1) ?? '';
  if (Array.isArray(parent)) parent.splice(Number(step), 1);
  else Reflect.deleteProperty(parent, step);
  return copy;
}

/** @throws when the text is not of the form that the rules are about */
function parseEnvoy(text: string): Node {
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
const envoyRules: Readonly<Record<string, (envoy: Node) => void>> = {
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
    } = at(manager(envoy, 'authorize'), 'route_config', 'virtual_hosts', 0, 'routes', 0);
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
const envoyExceptions: readonly Exception[] = [
  { path: /(^|\.)name$/, because: 'a name for people and for statistics, or one that Envoy does not start without' },
  { path: /\.(@type|stat_prefix|cluster_name)$/, because: 'Envoy does not start without' },
  { path: /\.max_request_headers_kb$/, because: 'allows more than the default' },
  { path: /\.retry_policy(\.|$)/, because: 'a request whose connection was refused is sent again' },
  { path: /\.clusters\.\d\.(type|lb_policy|connect_timeout)$/, because: 'how instances are found and chosen' },
  { path: /\.http_filters\.1\.typed_config$/, because: 'Envoy does not start without' },
];

/** Rules for the configuration that passes TLS through; each throws if it is broken. */
const envoyPassThroughRules: Readonly<Record<string, (envoy: Node) => void>> = {
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
      const chain = at(listener(envoy, app), 'filter_chains', 0);
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
const envoyPassThroughExceptions: readonly Exception[] = [
  { path: /\.listener_filters\.0\.name$/, because: 'Envoy does not start without' },
  { path: /\.(stat_prefix|cluster_name)$/, because: 'Envoy does not start without' },
  { path: /\.max_connect_attempts$/, because: 'an instance that does not take the connection' },
  { path: /\.clusters\.\d\.(type|lb_policy|connect_timeout)$/, because: 'how instances are found and chosen' },
];

type GatewayForm = 'pass-through' | 'terminating';
type Rules = Readonly<Record<string, (documents: readonly Node[]) => void>>;

/** @throws when it is no YAML */
function parseGateway(text: string): Node[] {
  return loadAll(text) as Node[];
}

const ofKind = (documents: readonly Node[], kind: string): Node[] =>
  documents.filter((document) => document['kind'] === kind);
const listenersOf = (documents: readonly Node[]): Node[] =>
  ofKind(documents, 'Gateway').flatMap((gateway) => at<Node[]>(gateway, 'spec', 'listeners'));
const named = (documents: readonly Node[], kind: string, name: string): Node => {
  const found = ofKind(documents, kind).find(({ metadata }) => at<string>(metadata, 'name') === name);
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return found;
};

function commonRules(form: GatewayForm): Rules {
  const isTerminating = form === 'terminating';
  const routeKind = isTerminating ? 'HTTPRoute' : 'TLSRoute';
  return {
    'a listener for each host, on a port of its own': (documents) => {
      const found = listenersOf(documents).map(({ name, port, hostname, protocol }) => [
        name,
        [port, hostname, protocol],
      ]);
      const protocol = isTerminating ? 'HTTPS' : 'TLS';
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries(apps.map((app) => [app, [ports[app], hosts[app], protocol]])),
      );
      for (const listener of listenersOf(documents)) {
        expect(at(listener, 'tls', 'mode')).toBe(isTerminating ? 'Terminate' : 'Passthrough');
        expect(at(listener, 'allowedRoutes')).toEqual({ namespaces: { from: 'Same' }, kinds: [{ kind: routeKind }] });
      }
    },

    'each listener leads to its application, and each host to one listener': (documents) => {
      expect(ofKind(documents, routeKind)).toHaveLength(apps.length + (isTerminating ? 1 : 0));
      for (const app of apps) {
        const route = named(documents, routeKind, app);
        expect(at(route, 'spec', 'hostnames')).toEqual([hosts[app]]);
        expect(at(route, 'spec', 'rules')).toHaveLength(1);
        expect(at(route, 'spec', 'rules', 0, 'backendRefs')).toEqual([{ name: app, port: ports[app] }]);
        const [parent, ...others] = at<{ name: string; sectionName: string }[]>(route, 'spec', 'parentRefs');
        expect(others).toEqual([]);
        expect(parent?.sectionName).toBe(app);
        const listeners = at<Node[]>(named(documents, 'Gateway', parent?.name ?? ''), 'spec', 'listeners');
        expect(listeners.map(({ name }) => name)).toContain(app);
      }
    },
  };
}

const terminatingRules: Rules = {
  'a certificate of its own for each listener': (documents) => {
    const names = listenersOf(documents).map((listener) => at(listener, 'tls', 'certificateRefs'));
    expect(names.map((refs) => JSON.stringify(refs)).sort()).toEqual(
      ['api-tls', 'auth-tls', 'token-tls'].map((name) => JSON.stringify([{ kind: 'Secret', name }])),
    );
  },

  'client certificates are verified per port, and never asked of customers': (documents) => {
    const authorities = [{ group: '', kind: 'ConfigMap', name: 'client-authorities' }];
    const frontend = at(named(documents, 'Gateway', 'open-banking'), 'spec', 'tls', 'frontend');
    expect(frontend).toEqual({
      default: { validation: { caCertificateRefs: authorities, mode: 'AllowValidOnly' } },
      perPort: [
        { port: ports.token, tls: { validation: { caCertificateRefs: authorities, mode: 'AllowValidOnly' } } },
        { port: ports.api, tls: { validation: { caCertificateRefs: authorities, mode: 'AllowInsecureFallback' } } },
      ],
    });
    expect(at(named(documents, 'Gateway', 'open-banking-customers'), 'spec', 'tls')).not.toHaveProperty('frontend');
  },

  'passwords and one-time codes are limited for each network': (documents) => {
    const { spec } = named(documents, 'HTTPRoute', 'authorize-forms');
    const { parentRefs, hostnames, rules } = spec as Record<string, unknown[]>;
    const { spec: whole } = named(documents, 'HTTPRoute', 'authorize');
    expect({ parentRefs, hostnames }).toEqual({
      parentRefs: at(whole, 'parentRefs'),
      hostnames: at(whole, 'hostnames'),
    });
    const matches = formPaths.map((value) => ({ method: 'POST', path: { type: 'Exact', value } }));
    expect(rules).toEqual([{ ...at(whole, 'rules', 0), matches }]);
    const limit = { requests: 30, unit: 'Minute' };
    const targetRefs = [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'authorize-forms' }];
    const scripts = ofKind(documents, 'EnvoyExtensionPolicy').map((policy) => policy['spec']);
    expect(scripts).toEqual([
      {
        targetRefs,
        lua: [{ type: 'Inline', inline: expect.stringContaining('replace("x-client-network", network_of(') }],
      },
    ]);
    expect(ofKind(documents, 'BackendTrafficPolicy').map((policy) => policy['spec'])).toEqual([
      {
        targetRefs,
        rateLimit: {
          type: 'Local',
          local: {
            rules: [{ clientSelectors: [{ headers: [{ name: 'x-client-network', type: 'Distinct' }] }], limit }],
          },
        },
      },
    ]);
  },

  'no header with a certificate comes from a client': (documents) => {
    for (const app of apps) {
      const filters = at<Node[]>(named(documents, 'HTTPRoute', app), 'spec', 'rules', 0, 'filters');
      const remove = app === 'authorize' ? [...foreignHeaders, 'x-forwarded-client-cert'] : foreignHeaders;
      expect(filters).toEqual([{ type: 'RequestHeaderModifier', requestHeaderModifier: { remove } }]);
    }
  },

  'Envoy Gateway: its own header, versions and suites': (documents) => {
    const policies = ofKind(documents, 'ClientTrafficPolicy').map(({ spec }) => spec);
    const tls = { minVersion: '1.2', maxVersion: '1.3', ciphers: suites, alpnProtocols: ['http/1.1'] };
    const target = { group: 'gateway.networking.k8s.io', kind: 'Gateway' };
    const timeout = { http: { requestReceivedTimeout: '30s' } };
    expect(policies).toEqual([
      {
        targetRefs: [{ ...target, name: 'open-banking' }],
        headers: { xForwardedClientCert: { mode: 'SanitizeSet', certDetailsToAdd: ['Cert', 'Chain'] } },
        timeout,
        tls,
      },
      {
        targetRefs: [{ ...target, name: 'open-banking-customers' }],
        headers: { xForwardedClientCert: { mode: 'Sanitize' } },
        timeout,
        tls,
      },
    ]);
  },

  'the hop is mutual TLS, verified': (documents) => {
    for (const gateway of ofKind(documents, 'Gateway')) {
      expect(at(gateway, 'spec', 'tls', 'backend')).toEqual({
        clientCertificateRef: { kind: 'Secret', name: 'open-banking-hop' },
      });
    }
    for (const app of apps) {
      expect(at(named(documents, 'BackendTLSPolicy', app), 'spec')).toEqual({
        targetRefs: [{ group: '', kind: 'Service', name: app }],
        validation: {
          hostname: hosts[app],
          caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: 'application-authorities' }],
        },
      });
    }
  },
};

const passThroughRules: Rules = {
  'Envoy Gateway: the applications are told where clients are': (documents) => {
    const policies = ofKind(documents, 'BackendTrafficPolicy').map(({ spec }) => spec);
    expect(policies).toEqual([
      {
        targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'open-banking' }],
        proxyProtocol: { version: 'V2' },
      },
    ]);
  },
};

/** @returns rules for the resources; each throws if it is broken */
function gatewayRules(form: GatewayForm): Rules {
  return { ...commonRules(form), ...(form === 'terminating' ? terminatingRules : passThroughRules) };
}

/** Places whose removal opens nothing. */
const gatewayExceptions: readonly Exception[] = [
  { path: /^\d+\.(apiVersion|metadata|metadata\.name)$/, because: 'the cluster takes no resource without' },
  { path: /\.gatewayClassName$/, because: 'the cluster takes no Gateway without' },
];

// Neither Envoy nor a cluster runs here: these files are held to what the others are tested for.

/**
 * Takes away every place of a document, one after the other: some rule must notice, or the place is one of those that
 * protect nothing.
 */
function expectEveryPlaceHeld<Document>(
  document: Document,
  rules: Readonly<Record<string, (document: Document) => void>>,
  exceptions: readonly Exception[],
): void {
  const isWhole = (changed: Document): boolean => {
    try {
      for (const rule of Object.values(rules)) rule(changed);
      return true;
    } catch {
      return false; // a rule has noticed
    }
  };
  expect(isWhole(document)).toBe(true);
  const places = placesOf(document);
  const unnoticed = places.filter((path) => isWhole(without(document, path))).map((path) => path.join('.'));
  const isExcepted = (path: string): boolean => exceptions.some((exception) => exception.path.test(path));
  expect(unnoticed.filter((path) => !isExcepted(path))).toEqual([]);
  const stale = exceptions.filter(({ path }) => !unnoticed.some((place) => path.test(place)));
  expect(stale).toEqual([]);
}

const readPassThrough = () => parseEnvoy(readFileSync('deploy/ingress/pass-through/envoy.yaml', 'utf8'));

describe('deploy/ingress/pass-through/envoy.yaml', () => {
  it.each(Object.keys(envoyPassThroughRules))('%s', (name) => {
    envoyPassThroughRules[name]?.(readPassThrough());
  });

  it('the removal of any protection is noticed', () => {
    expectEveryPlaceHeld(readPassThrough(), envoyPassThroughRules, envoyPassThroughExceptions);
  });
});

const readEnvoy = () => parseEnvoy(readFileSync('deploy/ingress/terminating/envoy.yaml', 'utf8'));

describe('deploy/ingress/terminating/envoy.yaml', () => {
  it.each(Object.keys(envoyRules))('%s', (name) => {
    envoyRules[name]?.(readEnvoy());
  });

  it('the removal of any protection is noticed', () => {
    expectEveryPlaceHeld(readEnvoy(), envoyRules, envoyExceptions);
  });
});

describe.each<GatewayForm>(['pass-through', 'terminating'])('deploy/ingress/gateway-api/%s.yaml', (form) => {
  const documents = () => parseGateway(readFileSync(`deploy/ingress/gateway-api/${form}.yaml`, 'utf8'));
  const rules = gatewayRules(form);

  it.each(Object.keys(rules))('%s', (name) => {
    rules[name]?.(documents());
  });

  it('the removal of any protection is noticed', () => {
    expectEveryPlaceHeld(documents(), rules, gatewayExceptions);
  });
});

describe('the forms with a password or a one-time code', () => {
  it('are the ones that the application counts, and all of them are limited in front of it', () => {
    const files = readdirSync('apps/authorize/src', { recursive: true, encoding: 'utf8' });
    const counted = files.flatMap((file) => {
      if (!file.endsWith('.controller.ts')) return [];
      const text = readFileSync(`apps/authorize/src/${file}`, 'utf8');
      const [, area = ''] = /@Controller\((?:'([^']*)')?\)/.exec(text) ?? [];
      const routes = text.matchAll(/@PostForm\((?:'([^']*)')?\)\s+@UseGuards\(SignInLimitGuard\)/g);
      return [...routes].map(([, route = '']) =>
        ['', area, route].filter((part, at) => at === 0 || part !== '').join('/'),
      );
    });
    expect(counted.sort()).toEqual([...formPaths].sort());
    const nginx = readFileSync('deploy/ingress/terminating/nginx.conf', 'utf8');
    const isForm = new RegExp(/~(\^POST\S+) \$client_network/.exec(nginx)?.[1] ?? 'none');
    for (const path of formPaths) expect(`POST${path}`).toMatch(isForm);
  });
});
