import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { forwardedCertificateHeaders } from '#libs/certificates';

// Neither Envoy nor a cluster runs here: these files are held to what the others are tested for.

type Node = Record<string, unknown>;

const hosts = { authorize: 'auth.bank.example', token: 'token.bank.example', api: 'api.bank.example' } as const;
const ports = { authorize: 8441, token: 8442, api: 8443 } as const;
const suites = ['ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES128-GCM-SHA256'];
const apps = Object.keys(hosts) as (keyof typeof hosts)[];
/** Every header but Envoy's own. */
const foreignHeaders = Object.values(forwardedCertificateHeaders)
  .flat()
  .filter((name) => name !== 'x-forwarded-client-cert');

/** The member at this place, which must be there. */
function at<Value = Node>(node: unknown, ...path: (string | number)[]): Value {
  let current: unknown = node;
  for (const step of path) {
    current = (current as Record<string | number, unknown> | undefined)?.[step];
    if (current === undefined) throw new Error(`There is no ${path.join('.')}.`);
  }
  return current as Value;
}

describe('deploy/ingress/terminating/envoy.yaml', () => {
  let envoy: Node;
  const listener = (app: string): Node => {
    const found = at<Node[]>(envoy, 'static_resources', 'listeners').find(({ name }) => name === app);
    if (!found) throw new Error(`There is no listener ${app}.`);
    return found;
  };
  const chain = (app: string): Node => at(listener(app), 'filter_chains', 0);
  const tls = (app: string): Node => at(chain(app), 'transport_socket', 'typed_config');
  const manager = (app: string): Node => at(chain(app), 'filters', 0, 'typed_config');

  beforeAll(async () => {
    const text = await readFile('deploy/ingress/terminating/envoy.yaml', 'utf8');
    // Envoy's own mark on a key; everything it holds is only there to be referred to.
    expect(text).toContain('\n!ignore common:');
    envoy = parse(text.replace('!ignore common:', 'common:')) as Node;
    expect(Object.keys(envoy).sort()).toEqual(['common', 'static_resources']);
  });

  it('has a listener for each profile, on an address of its own, with a certificate of its own', () => {
    const addresses = apps.map((app) => JSON.stringify(at(listener(app), 'address')));
    const certificates = apps.map((app) => JSON.stringify(at(tls(app), 'common_tls_context', 'tls_certificates')));
    expect(new Set(addresses).size).toBe(apps.length);
    expect(new Set(certificates).size).toBe(apps.length);
    for (const app of apps) {
      expect(at<unknown[]>(listener(app), 'filter_chains')).toHaveLength(1);
      expect(at(chain(app), 'filter_chain_match', 'server_names')).toEqual([hosts[app]]);
    }
  });

  it.each(apps)('%s: TLS 1.2 and 1.3, two suites, nothing resumed', (app) => {
    expect(at(tls(app), 'common_tls_context', 'tls_params')).toEqual({
      tls_minimum_protocol_version: 'TLSv1_2',
      tls_maximum_protocol_version: 'TLSv1_3',
      cipher_suites: suites,
    });
    expect(tls(app)).toMatchObject({
      disable_stateless_session_resumption: true,
      disable_stateful_session_resumption: true,
    });
  });

  it('demands a certificate for the token endpoint, asks for one for the API, and for none of customers', () => {
    expect(tls('token')).toMatchObject({ require_client_certificate: true });
    expect(tls('api')).toMatchObject({ require_client_certificate: false });
    for (const app of ['token', 'api']) {
      expect(at(tls(app), 'common_tls_context', 'validation_context', 'trusted_ca', 'filename')).toMatch(
        /client-authorities/,
      );
    }
    expect(at(tls('authorize'), 'common_tls_context')).not.toHaveProperty('validation_context');
  });

  it('passes on the certificate of the connection and nothing that a client sent', () => {
    for (const app of ['token', 'api']) {
      expect(manager(app)).toMatchObject({
        forward_client_cert_details: 'SANITIZE_SET',
        set_current_client_cert_details: { cert: true, chain: true },
      });
    }
    expect(manager('authorize')).toMatchObject({ forward_client_cert_details: 'SANITIZE' });
    for (const app of apps) {
      expect(at(manager(app), 'route_config', 'request_headers_to_remove')).toEqual(
        expect.arrayContaining(foreignHeaders),
      );
    }
  });

  it.each(apps)('%s: another host gets 421', (app) => {
    const [own, rest] = at<Node[]>(manager(app), 'route_config', 'virtual_hosts');
    expect(at(own, 'domains')).toEqual([hosts[app], `${hosts[app]}:443`]);
    expect(rest).toMatchObject({ domains: ['*'], routes: [{ direct_response: { status: 421 } }] });
  });

  it.each(apps)('%s: the hop is mutual TLS, verified', (app) => {
    const cluster = at<Node[]>(envoy, 'static_resources', 'clusters').find(({ name }) => name === app);
    const endpoint = at(
      cluster,
      'load_assignment',
      'endpoints',
      0,
      'lb_endpoints',
      0,
      'endpoint',
      'address',
      'socket_address',
    );
    expect(at(endpoint, 'port_value')).toBe(ports[app]);
    const hop = at(cluster, 'transport_socket', 'typed_config');
    expect(at(hop, 'sni')).toBe(hosts[app]);
    expect(at(hop, 'common_tls_context', 'tls_certificates', 0, 'certificate_chain', 'filename')).toMatch(
      /hop-certificate/,
    );
    expect(at(hop, 'common_tls_context', 'validation_context', 'trusted_ca', 'filename')).toMatch(
      /application-authorities/,
    );
    expect(
      at(hop, 'common_tls_context', 'validation_context', 'match_typed_subject_alt_names', 0, 'matcher', 'exact'),
    ).toBe(hosts[app]);
  });
});

describe.each(['pass-through', 'terminating'])('deploy/ingress/gateway-api/%s.yaml', (form) => {
  let documents: Node[];
  const ofKind = (kind: string): Node[] => documents.filter((document) => document['kind'] === kind);
  const listeners = (): Node[] => ofKind('Gateway').flatMap((gateway) => at<Node[]>(gateway, 'spec', 'listeners'));

  beforeAll(async () => {
    const text = await readFile(`deploy/ingress/gateway-api/${form}.yaml`, 'utf8');
    documents = parseAllDocuments(text).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Node;
    });
  });

  it('has a listener for each host, on a port of its own', () => {
    const found = listeners().map(({ name, port, hostname }) => [name, [port, hostname]]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(apps.map((app) => [app, [ports[app], hosts[app]]])));
    const mode = form === 'terminating' ? 'Terminate' : 'Passthrough';
    expect(listeners().map((listener) => at(listener, 'tls', 'mode'))).toEqual([mode, mode, mode]);
  });

  it('leads each listener to its application, and each host to one listener', () => {
    const routes = ofKind(form === 'terminating' ? 'HTTPRoute' : 'TLSRoute');
    for (const app of apps) {
      const route = routes.find(({ metadata }) => at<string>(metadata, 'name') === app);
      expect(at(route, 'spec', 'hostnames')).toEqual([hosts[app]]);
      expect(at(route, 'spec', 'rules', 0, 'backendRefs')).toEqual([{ name: app, port: ports[app] }]);
      const { name, sectionName } = at<{ name: string; sectionName: string }>(route, 'spec', 'parentRefs', 0);
      const gateway = ofKind('Gateway').find(({ metadata }) => at<string>(metadata, 'name') === name);
      expect(at<Node[]>(gateway, 'spec', 'listeners').map((listener) => listener['name'])).toContain(sectionName);
    }
    expect(routes).toHaveLength(apps.length);
  });

  it('validates client certificates per port, never those of customers, and strips their headers', () => {
    if (form !== 'terminating') return expect(JSON.stringify(documents)).not.toContain('validation');
    const [mutual, oneWay] = ofKind('Gateway');
    const modes = at<Node[]>(mutual, 'spec', 'tls', 'frontend', 'perPort').map(({ port, tls }) => [
      port,
      at(tls, 'validation', 'mode'),
    ]);
    expect(modes).toEqual([
      [ports.token, 'AllowValidOnly'],
      [ports.api, 'AllowInsecureFallback'],
    ]);
    expect(at(mutual, 'spec', 'tls', 'frontend', 'default', 'validation', 'mode')).toBe('AllowValidOnly');
    expect(at(oneWay, 'spec', 'tls')).not.toHaveProperty('frontend');
    for (const route of ofKind('HTTPRoute')) {
      const removed = at<string[]>(route, 'spec', 'rules', 0, 'filters', 0, 'requestHeaderModifier', 'remove');
      expect(removed).toEqual(expect.arrayContaining(foreignHeaders));
    }
    const policies = ofKind('ClientTrafficPolicy').map(({ spec }) => [
      at(spec, 'targetRefs', 0, 'name'),
      at(spec, 'headers', 'xForwardedClientCert', 'mode'),
      at(spec, 'tls', 'ciphers'),
    ]);
    expect(policies).toEqual([
      ['open-banking', 'SanitizeSet', suites],
      ['open-banking-customers', 'Sanitize', suites],
    ]);
    const verified = ofKind('BackendTLSPolicy').map(({ spec }) => at(spec, 'validation', 'hostname'));
    expect(verified).toEqual(Object.values(hosts));
  });
});
