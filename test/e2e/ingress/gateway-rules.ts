import { expect } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { forwardedCertificateHeaders } from '#libs/certificates';
import { apps, at, formPaths, hosts, ports, suites, type Exception, type Node } from './yaml-node.js';

export type GatewayForm = 'pass-through' | 'terminating';
type Rules = Readonly<Record<string, (documents: readonly Node[]) => void>>;

/** @throws when it is no YAML */
export function parseGateway(text: string): Node[] {
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

/** Every header but that of Envoy, which sets or takes away its own. */
const foreignHeaders = Object.values(forwardedCertificateHeaders)
  .flat()
  .filter((name) => name !== 'x-forwarded-client-cert');

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
export function gatewayRules(form: GatewayForm): Rules {
  return { ...commonRules(form), ...(form === 'terminating' ? terminatingRules : passThroughRules) };
}

/** Places whose removal opens nothing. */
export const gatewayExceptions: readonly Exception[] = [
  { path: /^\d+\.(apiVersion|metadata|metadata\.name)$/, because: 'the cluster takes no resource without' },
  { path: /\.gatewayClassName$/, because: 'the cluster takes no Gateway without' },
];
