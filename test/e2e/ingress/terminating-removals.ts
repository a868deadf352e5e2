import { appNames, type AppName } from './bank-host.js';
import { publicAddresses } from './proxy.js';
import { missed, necessary, spared, type Row } from './removals.js';

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
  spared('', /^(worker_|pid|error_log|events|http)/, isHowItRuns),
  spared('events', 'worker_connections', isHowItRuns),
  missed(http, 'server_tokens', 'api: version of the server revealed: hole', 'tls'),
  spared(http, 'access_log', 'what is written down shows to nobody outside'),
  spared(http, /^(client_body_temp_path|proxy_temp_path)/, isHowItRuns),

  missed(http, 'ssl_protocols', 'authorize: TLS 1.1: hole', 'tls', {
    instead: '    ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3;',
    // OpenSSL itself speaks no TLS 1.1 unless it is told to.
    also: [['ssl_ciphers ', 'ssl_ciphers ALL:@SECLEVEL=0:']],
  }),
  missed(http, 'ssl_ciphers', 'token: weak suites under TLS 1.2: hole', 'tls'),
  missed(http, 'ssl_session_tickets', 'token: session of its own resumed (TLSv1.2): hole', 'sessions', {
    instead: '    ssl_session_tickets off; ssl_session_cache shared:all:1m;',
  }),
  missed(http, 'ssl_session_tickets', 'token: session of its own resumed (TLSv1.3): hole', 'sessions'),

  necessary(http, 'map $binary_remote_addr'),
  missed(networks, 'default', 'api: flood of requests: hole', 'flood'),
  spared(networks, /^"~/, 'IPv6 alone: client-networks.e2e-spec.ts'),
  necessary(http, 'limit_req_zone $client_network'),
  missed(http, 'limit_req zone=addresses', 'api: flood of requests: hole', 'flood'),
  necessary(http, 'map $request_method$uri'),
  spared(forms, 'default', 'what has no other value has an empty one as it is, and is not counted'),
  missed(forms, /^~\^POST/, 'authorize: flood of passwords: hole', 'forms'),
  necessary(http, 'limit_req_zone $sender_of_form'),
  missed(http, 'limit_req zone=forms', 'authorize: flood of passwords: hole', 'forms'),
  // It must say 429: 503 says that the service is out of order.
  missed(http, 'limit_req_status', 'api: flood of requests: hole', 'flood'),
  necessary(http, 'limit_conn_zone'),
  spared(http, /^limit_conn(_status)? /, 'many slow bodies: strangers.e2e-spec.ts'),
  spared(
    /^http > map \$(request_id|http_x_fapi|upstream_http_x_fapi|own_interaction)/,
    /./,
    'what nginx answers itself: own-answers.e2e-spec.ts',
  ),
  spared(
    http,
    /^(add_header|map \$(request_id|http_x_fapi|upstream_http_x_fapi|own_interaction))/,
    'what nginx answers itself: own-answers.e2e-spec.ts',
  ),
  missed(http, 'client_max_body_size', 'api: body of 100 MB', 'sizes', { instead: '    client_max_body_size 0;' }),
  missed(http, 'client_header_timeout', 'token: nothing said: hole', 'silence', {
    shortened: '    client_header_timeout 300ms;',
  }),
  spared(http, 'large_client_header_buffers', allowsMore),

  missed(http, 'proxy_ssl_certificate', `token: ${accepted}`, 'certificates'),
  necessary(http, 'proxy_ssl_certificate_key'),
  necessary(http, 'proxy_ssl_trusted_certificate'),
  missed(http, 'proxy_ssl_verify', 'token: unknown instance: hole', 'impostor', { behind: 'an impostor' }),
  spared(http, 'proxy_ssl_verify_depth', allowsMore),
  // The instances' certificates are for the public names, and for no name of an upstream.
  missed(http, 'proxy_ssl_name', `authorize: ${everybody}`, 'hosts'),
  spared(http, 'proxy_http_version', 'connections to the instances are kept'),
  spared(http, 'proxy_set_header Connection', 'connections to the instances are kept'),
  missed(http, 'proxy_set_header Host', `authorize: ${everybody}`, 'hosts'),
  missed(http, 'proxy_set_header SSL-Client-Cert', 'api: forged header (nginx): hole', 'headers'),
  ...['Client-Cert', 'Client-Cert-Chain', 'X-Forwarded-Client-Cert'].map((name): Row =>
    missed(
      http,
      `proxy_set_header ${name}`,
      `token: header beside a certificate (${name.toLowerCase()}): hole`,
      'headers',
    ),
  ),
  spared(http, /^proxy_(connect_timeout|read_timeout|next_upstream|next_upstream_tries) /, isAboutInstances),

  ...appNames.flatMap((app): Row[] => [
    spared(http, `upstream ${app}`, isWhereItGoes),
    spared(`http > upstream ${app}`, /^(least_conn|server|keepalive)/, isAboutInstances),
    ...defaultServer(app),
    ...server(app),
  ]),
  spared(http, 'server', 'its directives are below'),

  // token: demanded. api: asked for.
  necessary('http > server token', 'ssl_client_certificate'),
  missed('http > server token', 'ssl_verify_client', 'token: no certificate: hole', 'certificates'),
  necessary('http > server api', 'ssl_client_certificate'),
  missed('http > server api', 'ssl_verify_client', `api: ${accepted}`, 'certificates'),
  missed('http > server api', 'ssl_verify_client', 'api: certificate of another authority: hole', 'certificates', {
    instead: '        ssl_verify_client optional_no_ca;',
  }),
  spared(/^http > server (token|api)$/, 'ssl_verify_depth', allowsMore),
];

/** Whatever is for another host. */
function defaultServer(app: AppName): Row[] {
  const where = `http > default server ${app}`;
  return [
    // It is the default by its place as well; without this line it stands nowhere.
    missed(where, 'listen', `${app}: handshake for another host: hole`, 'hosts'),
    necessary(where, 'ssl_reject_handshake'),
    missed(where, 'ssl_reject_handshake', `${app}: handshake for another host: hole`, 'hosts', {
      instead: `        ssl_certificate /etc/nginx/tls/shared-certificate.pem;
        ssl_certificate_key /etc/nginx/tls/shared-key.pem;`,
    }),
    missed(where, 'return 421', `${app}: unknown Host: hole`, 'hosts'),
  ];
}

function server(app: AppName): Row[] {
  const where = `http > server ${app}`;
  const listener = `${publicAddresses[app]}:443`;
  const hostFile = app === 'authorize' ? 'auth' : app;
  return [
    missed(where, 'listen', `${app}: plain HTTP: hole`, 'tls', {
      instead: `        listen ${listener};`,
      // A listener speaks TLS when one of its servers does.
      also: [[`listen ${listener} ssl default_server`, `listen ${listener} default_server`]],
    }),
    missed(where, 'server_name', `${app}: ${app === 'token' ? accepted : everybody}`, 'hosts'),
    necessary(where, 'ssl_certificate'),
    missed(where, 'ssl_certificate', `${app}: certificate of another profile, too: hole`, 'hosts', {
      instead: '        ssl_certificate /etc/nginx/tls/shared-certificate.pem;',
      also: [[`tls/${hostFile}-key.pem`, 'tls/shared-key.pem']],
    }),
    necessary(where, 'ssl_certificate_key'),
    spared(where, 'location /', isWhereItGoes),
    missed(`${where} > location /`, 'proxy_pass', `${app}: ${app === 'token' ? accepted : everybody}`, 'tls', {
      instead: `            proxy_pass http://${app};`,
    }),
  ];
}
