import { appNames, bankHosts } from './bank-host.js';
import { missed, necessary, spared, type Row } from './removals.js';

const isHowItRuns = 'how it runs';
const isWhereItGoes = 'where connections go';
const isAboutInstances = 'instances that are away, and how connections are spread';
const isOfTheApplications = 'the applications end connections that stand still, and sooner';
const networks = 'stream > map $binary_remote_addr $client_network';

/** Every directive of the shipped HAProxy configuration. */
export const haproxyRows: readonly Row[] = [
  spared('global', 'hard-stop-after', isHowItRuns),
  spared('defaults', 'mode tcp', 'the default'),
  spared('defaults', /^timeout/, isOfTheApplications),
  spared('defaults', /^(retries|option redispatch|balance|default-server (check|init-addr))/, isAboutInstances),
  missed(
    'defaults',
    'default-server send-proxy-v2',
    'token: control: a valid certificate is accepted: failed',
    'hosts',
  ),
  spared('resolvers names', 'parse-resolv-conf', isAboutInstances),
  necessary('backend addresses', 'stick-table'),
  // Without it nothing gets through at all; this is what it protects.
  missed('frontend authorize', 'tcp-request inspect-delay', 'authorize: nothing said: hole', 'silence', {
    instead: '    tcp-request inspect-delay 1m',
    shortened: '    tcp-request inspect-delay 300ms',
  }),
  ...appNames.flatMap((app): Row[] => {
    const where = `frontend ${app}`;
    return [
      spared(where, 'bind', 'there is no listener without'),
      missed(where, 'tcp-request connection track-sc0', `${app}: flood of connections`, 'flood'),
      missed(where, 'tcp-request connection reject', `${app}: flood of connections`, 'flood'),
      missed(where, 'tcp-request inspect-delay', `${app}: control: a ClientHello in two pieces: failed`, 'hosts'),
      missed(where, 'tcp-request content reject', `${app}: handshake for another host: hole`, 'hosts'),
      spared(where, 'default_backend', isWhereItGoes),
      spared(`backend ${app}`, 'server', isWhereItGoes),
    ];
  }),
];

/** Every directive of the shipped nginx configuration for pass-through. */
export const nginxStreamRows: readonly Row[] = [
  spared('', /^(load_module|worker_|pid|error_log|events|stream)/, isHowItRuns),
  spared('events', 'worker_connections', isHowItRuns),
  necessary('stream', 'map $binary_remote_addr'),
  missed(networks, 'default', 'authorize: flood of connections: hole', 'flood'),
  spared(networks, /^"~/, 'IPv6 alone: client-networks.e2e-spec.ts'),
  necessary('stream', 'limit_conn_zone'),
  missed('stream', 'limit_conn', 'authorize: flood of connections: hole', 'flood'),
  missed('stream', 'ssl_preread', 'token: control: a valid certificate is accepted: failed', 'hosts'),
  missed('stream', 'preread_timeout', 'api: nothing said: hole', 'silence', {
    shortened: '    preread_timeout 300ms;',
  }),
  missed('stream', 'proxy_protocol', 'token: control: a valid certificate is accepted: failed', 'hosts'),
  spared('stream', 'proxy_timeout', isOfTheApplications),
  spared('stream', /^proxy_(connect_timeout|next_upstream)/, isAboutInstances),
  ...appNames.flatMap((app): Row[] => [
    necessary('stream', `map $ssl_preread_server_name $${app}`),
    spared(`stream > map $ssl_preread_server_name $${app}`, bankHosts[app], isWhereItGoes),
    spared('stream', `upstream ${app}`, isWhereItGoes),
    spared(`stream > upstream ${app}`, /^(least_conn|server)/, isAboutInstances),
    spared(`stream > server ${app}`, 'listen', 'there is no listener without'),
    missed(`stream > server ${app}`, 'proxy_pass', `${app}: handshake for another host: hole`, 'hosts', {
      instead: `        proxy_pass ${app};`,
    }),
  ]),
  spared('stream', 'server', isWhereItGoes),
];
