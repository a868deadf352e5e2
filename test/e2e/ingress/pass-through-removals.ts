import { appNames, bankHosts } from './bank-host.js';
import type { Row } from './removals.js';

const isHowItRuns = 'how it runs';
const isWhereItGoes = 'where connections go';
const isAboutInstances = 'instances that are away, and how connections are spread';
const isOfTheApplications = 'the applications end connections that stand still, and sooner';
const networks = 'stream > map $binary_remote_addr $client_network';

/** Every directive of the shipped HAProxy configuration. */
export const haproxyRows: readonly Row[] = [
  { where: 'global', directive: 'hard-stop-after', because: isHowItRuns },
  { where: 'defaults', directive: 'mode tcp', because: 'the default' },
  { where: 'defaults', directive: /^timeout/, because: isOfTheApplications },
  {
    where: 'defaults',
    directive: /^(retries|option redispatch|balance|default-server (check|init-addr))/,
    because: isAboutInstances,
  },
  {
    where: 'defaults',
    directive: 'default-server send-proxy-v2',
    found: 'token: control: a valid certificate is accepted: failed',
    by: 'hosts',
  },
  { where: 'resolvers names', directive: 'parse-resolv-conf', because: isAboutInstances },
  { where: 'backend addresses', directive: 'stick-table', isNecessary: true },
  // Without it nothing gets through at all; this is what it protects.
  {
    where: 'frontend authorize',
    directive: 'tcp-request inspect-delay',
    instead: '    tcp-request inspect-delay 1m',
    found: 'authorize: nothing said: hole',
    by: 'silence',
    shortened: '    tcp-request inspect-delay 300ms',
  },
  ...appNames.flatMap((app): Row[] => {
    const where = `frontend ${app}`;
    return [
      { where, directive: 'bind', because: 'there is no listener without' },
      { where, directive: 'tcp-request connection track-sc0', found: `${app}: flood of connections`, by: 'flood' },
      { where, directive: 'tcp-request connection reject', found: `${app}: flood of connections`, by: 'flood' },
      {
        where,
        directive: 'tcp-request inspect-delay',
        found: `${app}: control: a ClientHello in two pieces: failed`,
        by: 'hosts',
      },
      {
        where,
        directive: 'tcp-request content reject',
        found: `${app}: handshake for another host: hole`,
        by: 'hosts',
      },
      { where, directive: 'default_backend', because: isWhereItGoes },
      { where: `backend ${app}`, directive: 'server', because: isWhereItGoes },
    ];
  }),
];

/** Every directive of the shipped nginx configuration for pass-through. */
export const nginxStreamRows: readonly Row[] = [
  { where: '', directive: /^(load_module|worker_|pid|error_log|events|stream)/, because: isHowItRuns },
  { where: 'events', directive: 'worker_connections', because: isHowItRuns },
  { where: 'stream', directive: 'map $binary_remote_addr', isNecessary: true },
  { where: networks, directive: 'default', found: 'authorize: flood of connections: hole', by: 'flood' },
  { where: networks, directive: /^"~/, because: 'IPv6 alone: client-networks.e2e-spec.ts' },
  { where: 'stream', directive: 'limit_conn_zone', isNecessary: true },
  { where: 'stream', directive: 'limit_conn', found: 'authorize: flood of connections: hole', by: 'flood' },
  {
    where: 'stream',
    directive: 'ssl_preread',
    found: 'token: control: a valid certificate is accepted: failed',
    by: 'hosts',
  },
  {
    where: 'stream',
    directive: 'preread_timeout',
    found: 'api: nothing said: hole',
    by: 'silence',
    shortened: '    preread_timeout 300ms;',
  },
  {
    where: 'stream',
    directive: 'proxy_protocol',
    found: 'token: control: a valid certificate is accepted: failed',
    by: 'hosts',
  },
  { where: 'stream', directive: 'proxy_timeout', because: isOfTheApplications },
  { where: 'stream', directive: /^proxy_(connect_timeout|next_upstream)/, because: isAboutInstances },
  ...appNames.flatMap((app): Row[] => [
    { where: 'stream', directive: `map $ssl_preread_server_name $${app}`, isNecessary: true },
    { where: `stream > map $ssl_preread_server_name $${app}`, directive: bankHosts[app], because: isWhereItGoes },
    { where: 'stream', directive: `upstream ${app}`, because: isWhereItGoes },
    { where: `stream > upstream ${app}`, directive: /^(least_conn|server)/, because: isAboutInstances },
    { where: `stream > server ${app}`, directive: 'listen', because: 'there is no listener without' },
    {
      where: `stream > server ${app}`,
      directive: 'proxy_pass',
      instead: `        proxy_pass ${app};`,
      found: `${app}: handshake for another host: hole`,
      by: 'hosts',
    },
  ]),
  { where: 'stream', directive: 'server', because: isWhereItGoes },
];
