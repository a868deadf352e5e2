import { appNames, type AppName } from './bank-host.js';
import { publicAddresses } from './proxy.js';
import type { Row } from './removals.js';

const isHowItRuns = 'how it runs';
const isWhereItGoes = 'where requests go';
const isAboutInstances = 'instances that are away, and how requests are spread';
const allowsMore = 'allows more than the default';
const accepted = 'control: a valid certificate is accepted: failed';
const everybody = 'control: what everybody may read: failed';
const http = 'http';
const forms = 'http > map $request_method$uri $sender_of_form';
const networks = 'http > map $binary_remote_addr $client_network';

/** Every directive of the shipped nginx configuration that ends TLS. */
export const nginxTerminatingRows: readonly Row[] = [
  { where: '', directive: /^(worker_|pid|error_log|events|http)/, because: isHowItRuns },
  { where: 'events', directive: 'worker_connections', because: isHowItRuns },
  { where: http, directive: 'server_tokens', found: 'api: version of the server revealed: hole', by: 'tls' },
  { where: http, directive: 'access_log', because: 'what is written down shows to nobody outside' },
  { where: http, directive: /^(client_body_temp_path|proxy_temp_path)/, because: isHowItRuns },

  {
    where: http,
    directive: 'ssl_protocols',
    instead: '    ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3;',
    // OpenSSL itself speaks no TLS 1.1 unless it is told to.
    also: [['ssl_ciphers ', 'ssl_ciphers ALL:@SECLEVEL=0:']],
    found: 'authorize: TLS 1.1: hole',
    by: 'tls',
  },
  { where: http, directive: 'ssl_ciphers', found: 'token: weak suites under TLS 1.2: hole', by: 'tls' },
  {
    where: http,
    directive: 'ssl_session_tickets',
    instead: '    ssl_session_tickets off; ssl_session_cache shared:all:1m;',
    found: 'token: session of its own resumed (TLSv1.2): hole',
    by: 'sessions',
  },
  {
    where: http,
    directive: 'ssl_session_tickets',
    found: 'token: session of its own resumed (TLSv1.3): hole',
    by: 'sessions',
  },

  { where: http, directive: 'map $binary_remote_addr', isNecessary: true },
  { where: networks, directive: 'default', found: 'api: flood of requests: hole', by: 'flood' },
  { where: networks, directive: /^"~/, because: 'IPv6 alone: client-networks.e2e-spec.ts' },
  { where: http, directive: 'limit_req_zone $client_network', isNecessary: true },
  { where: http, directive: 'limit_req zone=addresses', found: 'api: flood of requests: hole', by: 'flood' },
  { where: http, directive: 'map $request_method$uri', isNecessary: true },
  {
    where: forms,
    directive: 'default',
    because: 'what has no other value has an empty one as it is, and is not counted',
  },
  { where: forms, directive: /^~\^POST/, found: 'authorize: flood of passwords: hole', by: 'forms' },
  { where: http, directive: 'limit_req_zone $sender_of_form', isNecessary: true },
  { where: http, directive: 'limit_req zone=forms', found: 'authorize: flood of passwords: hole', by: 'forms' },
  // It must say 429: 503 says that the service is out of order.
  { where: http, directive: 'limit_req_status', found: 'api: flood of requests: hole', by: 'flood' },
  { where: http, directive: 'limit_conn_zone', isNecessary: true },
  { where: http, directive: /^limit_conn(_status)? /, because: 'many slow bodies: strangers.e2e-spec.ts' },
  {
    where: /^http > map \$(request_id|http_x_fapi|upstream_http_x_fapi|own_interaction)/,
    directive: /./,
    because: 'what nginx answers itself: own-answers.e2e-spec.ts',
  },
  {
    where: http,
    directive: /^(add_header|map \$(request_id|http_x_fapi|upstream_http_x_fapi|own_interaction))/,
    because: 'what nginx answers itself: own-answers.e2e-spec.ts',
  },
  {
    where: http,
    directive: 'client_max_body_size',
    instead: '    client_max_body_size 0;',
    found: 'api: body of 100 MB',
    by: 'sizes',
  },
  {
    where: http,
    directive: 'client_header_timeout',
    found: 'token: nothing said: hole',
    by: 'silence',
    shortened: '    client_header_timeout 300ms;',
  },
  { where: http, directive: 'large_client_header_buffers', because: allowsMore },

  { where: http, directive: 'proxy_ssl_certificate', found: `token: ${accepted}`, by: 'certificates' },
  { where: http, directive: 'proxy_ssl_certificate_key', isNecessary: true },
  { where: http, directive: 'proxy_ssl_trusted_certificate', isNecessary: true },
  {
    where: http,
    directive: 'proxy_ssl_verify',
    found: 'token: unknown instance: hole',
    by: 'impostor',
    behind: 'an impostor',
  },
  { where: http, directive: 'proxy_ssl_verify_depth', because: allowsMore },
  // The instances' certificates are for the public names, and for no name of an upstream.
  { where: http, directive: 'proxy_ssl_name', found: `authorize: ${everybody}`, by: 'hosts' },
  { where: http, directive: 'proxy_http_version', because: 'connections to the instances are kept' },
  { where: http, directive: 'proxy_set_header Connection', because: 'connections to the instances are kept' },
  { where: http, directive: 'proxy_set_header Host', found: `authorize: ${everybody}`, by: 'hosts' },
  {
    where: http,
    directive: 'proxy_set_header SSL-Client-Cert',
    found: 'api: forged header (nginx): hole',
    by: 'headers',
  },
  ...['Client-Cert', 'Client-Cert-Chain', 'X-Forwarded-Client-Cert'].map((name): Row => ({
    where: http,
    directive: `proxy_set_header ${name}`,
    found: `token: header beside a certificate (${name.toLowerCase()}): hole`,
    by: 'headers',
  })),
  {
    where: http,
    directive: /^proxy_(connect_timeout|read_timeout|next_upstream|next_upstream_tries) /,
    because: isAboutInstances,
  },

  ...appNames.flatMap((app): Row[] => [
    { where: http, directive: `upstream ${app}`, because: isWhereItGoes },
    { where: `http > upstream ${app}`, directive: /^(least_conn|server|keepalive)/, because: isAboutInstances },
    ...defaultServer(app),
    ...server(app),
  ]),
  { where: http, directive: 'server', because: 'its directives are below' },

  // token: demanded. api: asked for.
  { where: 'http > server token', directive: 'ssl_client_certificate', isNecessary: true },
  {
    where: 'http > server token',
    directive: 'ssl_verify_client',
    found: 'token: no certificate: hole',
    by: 'certificates',
  },
  { where: 'http > server api', directive: 'ssl_client_certificate', isNecessary: true },
  { where: 'http > server api', directive: 'ssl_verify_client', found: `api: ${accepted}`, by: 'certificates' },
  {
    where: 'http > server api',
    directive: 'ssl_verify_client',
    instead: '        ssl_verify_client optional_no_ca;',
    found: 'api: certificate of another authority: hole',
    by: 'certificates',
  },
  { where: /^http > server (token|api)$/, directive: 'ssl_verify_depth', because: allowsMore },
];

/** Whatever is for another host. */
function defaultServer(app: AppName): Row[] {
  const where = `http > default server ${app}`;
  return [
    // It is the default by its place as well; without this line it stands nowhere.
    { where, directive: 'listen', found: `${app}: handshake for another host: hole`, by: 'hosts' },
    { where, directive: 'ssl_reject_handshake', isNecessary: true },
    {
      where,
      directive: 'ssl_reject_handshake',
      instead: `        ssl_certificate /etc/nginx/tls/shared-certificate.pem;
        ssl_certificate_key /etc/nginx/tls/shared-key.pem;`,
      found: `${app}: handshake for another host: hole`,
      by: 'hosts',
    },
    { where, directive: 'return 421', found: `${app}: unknown Host: hole`, by: 'hosts' },
  ];
}

function server(app: AppName): Row[] {
  const where = `http > server ${app}`;
  const listener = `${publicAddresses[app]}:443`;
  const hostFile = app === 'authorize' ? 'auth' : app;
  return [
    {
      where,
      directive: 'listen',
      instead: `        listen ${listener};`,
      // A listener speaks TLS when one of its servers does.
      also: [[`listen ${listener} ssl default_server`, `listen ${listener} default_server`]],
      found: `${app}: plain HTTP: hole`,
      by: 'tls',
    },
    { where, directive: 'server_name', found: `${app}: ${app === 'token' ? accepted : everybody}`, by: 'hosts' },
    { where, directive: 'ssl_certificate', isNecessary: true },
    {
      where,
      directive: 'ssl_certificate',
      instead: '        ssl_certificate /etc/nginx/tls/shared-certificate.pem;',
      also: [[`tls/${hostFile}-key.pem`, 'tls/shared-key.pem']],
      found: `${app}: certificate of another profile, too: hole`,
      by: 'hosts',
    },
    { where, directive: 'ssl_certificate_key', isNecessary: true },
    { where, directive: 'location /', because: isWhereItGoes },
    {
      where: `${where} > location /`,
      directive: 'proxy_pass',
      instead: `            proxy_pass http://${app};`,
      found: `${app}: ${app === 'token' ? accepted : everybody}`,
      by: 'tls',
    },
  ];
}
