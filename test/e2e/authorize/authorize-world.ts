import { httpsAgent, httpsRequest } from '../../support/https-request.js';
import { type AuthorizationOutcome, PageBrowser, toOutcome } from '../../support/page-browser.js';
import { defaultProfile } from '../../support/profile-settings.js';
import { migratedDatabase, type RunDatabase } from '../../support/run-database.js';
import { createHash, generateKeyPairSync, randomBytes, randomUUID, type KeyObject } from 'node:crypto';
import { type Agent, createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SignJWT } from 'jose';
import type { Pool } from 'pg';
import type * as Parts from './authorize-world-parts.js';
import { importOnce } from '../../support/import-once.js';

const {
  Clock,
  Config,
  aCertificate,
  createAuthorizeApp,
  DataSource,
  dataSourceOptions,
  DeclineNoticeQueue,
  DeclineReporter,
  DeclineReports,
  makeInstructionList,
  openPool,
  parseSigningKeys,
} = await importOnce<typeof Parts>('../e2e/authorize/authorize-world-parts.ts');

/** Test material, made for one run: nothing here is used anywhere else. */
export const issuer = 'https://localhost:8443/open-banking/v3.0';
export const redirectUri = 'https://tpp.example.com/callback?dummy1=lorem&dummy2=ipsum';
export const intentClaims = (intentId: string) => ({
  id_token: {
    openbanking_intent_id: { value: intentId, essential: true },
    acr: { essential: true, values: ['urn:openbanking:psd2:sca', 'urn:openbanking:psd2:ca'] },
  },
});

const rsa = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

/** What the stub of the bank answers; a test changes a copy of it. */
interface BankBehaviour {
  password: { status: number; body: object };
  challenge: { status: number; body: object };
  challengeStatus: string;
  /** HTTP status of the question about a challenge */
  findChallengeStatus: number;
  oneTimeCode: { status: number; body: object };
  accounts: { status: number; body: object };
  /** undefined: no answer ever */
  payeeNames: { status: number; body: object } | undefined;
  knownPayees: { status: number; body: object } | undefined;
  declineReports: { status: number; body: object };
}

export const honestBank = (): BankBehaviour => ({
  password: { status: 200, body: { psuId: 'psu-1', displayName: 'Alex <b>Green</b>' } },
  challenge: {
    status: 200,
    body: {
      challengeId: randomBytes(12).toString('base64url'),
      method: 'Code',
      codeBy: 'TextMessage',
      expiresAt: new Date(Date.now() + 300_000).toISOString(),
    },
  },
  challengeStatus: 'Pending',
  findChallengeStatus: 200,
  oneTimeCode: {
    status: 200,
    body: { authenticatedAt: new Date().toISOString(), acr: 'urn:openbanking:psd2:sca' },
  },
  accounts: {
    status: 200,
    body: {
      accounts: [
        anAccount({
          identification: '20040512345678',
          name: 'Business current account',
          availableBalance: '125000.00',
        }),
        anAccount({ identification: '20040587654321', name: 'Payroll account', approvalsRequired: 2 }),
        anAccount({ identification: '20040511112222', name: 'Petty cash', availableBalance: '12.50' }),
      ],
    },
  },
  payeeNames: { status: 404, body: {} },
  knownPayees: { status: 404, body: {} },
  declineReports: { status: 204, body: {} },
});

export const anAccount = (values: object): object => ({
  schemeName: 'UK.OBIE.SortCodeAccountNumber',
  currency: 'GBP',
  availableBalance: '20000.00',
  approvalsRequired: 1,
  ...values,
});

export type Answer = AuthorizationOutcome;

/** One person's browser, which follows no redirect by itself. */
export class Browser extends PageBrowser {
  constructor(world: AuthorizeWorld) {
    super(world.bankOfPages, false);
  }
}

/** The app on real HTTPS with a real database, a bank that does as it is told, and a TPP with keys. */
export class AuthorizeWorld {
  bank = honestBank();
  now: Date | undefined;
  readonly authorization = {
    idleSeconds: 300,
    sessionSeconds: 1_800,
    bothFactorsFirst: false,
    pushedRequestSeconds: 60,
    allowWithoutIntent: true,
    approvalSeconds: 604_800,
  };
  readonly calls: string[] = [];
  readonly bodies: { path: string; body: unknown }[] = [];
  clientId = '';
  dataSource!: Parts.DataSource;
  #pool!: Pool;
  origin = '';
  readonly tppKey: KeyObject = rsa();
  #runDatabase!: RunDatabase;
  #apps: NestFastifyApplication[] = [];
  /** the bank answers nothing until it is resolved */
  silence: Promise<unknown> | undefined;
  /** runs once, when the bank has been sent a code: what somebody else does before the bank answers */
  beforeVerified: (() => Promise<unknown>) | undefined;
  config!: Parts.Config;
  #servers: Server[] = [];
  #agent!: Agent;
  #directoryPort = 0;

  async start(): Promise<void> {
    this.#runDatabase = await migratedDatabase();
    const database = { url: this.#runDatabase.url, poolSize: 10 };
    this.#pool = openPool({ ...database, applicationName: 'test' });
    this.dataSource = new DataSource(dataSourceOptions(this.#pool));
    await this.dataSource.initialize();
    await this.#startApp(database);
    this.clientId = await this.registerClient();
  }

  get bankOfPages() {
    return { agent: this.#agent, description: { authorization_endpoint: `${this.origin}/oauth2/authorize` } };
  }

  async stop(): Promise<void> {
    for (const app of this.#apps) await app.close();
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
    this.#agent?.destroy();
    await this.dataSource?.destroy();
    await this.#pool?.end();
    await this.#runDatabase?.drop();
  }

  async registerClient(): Promise<string> {
    const clientId = randomUUID();
    await this.dataSource.query(
      `INSERT INTO clients (client_id, status, org_id, org_name, software_id, client_name, redirect_uris, grant_types,
         response_types, scope, token_endpoint_auth_method, id_token_signed_response_alg, request_object_signing_alg,
         jwks_uri, directory_issuer, secret_hash, metadata, client_id_issued_at, updated_at)
       VALUES ($1, 'Active', 'org-1', 'Payroll Ltd', 'software-1', 'PayDay <script>alert(1)</script>', $2,
         '{authorization_code,client_credentials}', '{code,code id_token}', 'openid accounts payments', 'private_key_jwt',
         'PS256', 'PS256', $3, 'directory', '\\x00', '{}', now(), now())`,
      [clientId, [redirectUri, 'https://tpp.example.com/other'], `https://localhost:${this.#directoryPort}/jwks`],
    );
    return clientId;
  }

  async aConsent(values: { initiation?: object; status?: string; payments?: object[]; authorisation?: object } = {}) {
    const consentId = randomUUID();
    const payments = values.payments ?? [
      aPayment({}),
      aPayment({ InstructedAmount: { Amount: '250.5', Currency: 'GBP' } }),
    ];
    const file = Buffer.from(JSON.stringify({ File: { Data: { DomesticPayments: payments } } }));
    const initiation = { FileType: 'UK.OBIE.PaymentInitiation.3.1', FileHash: 'x', ...values.initiation };
    const list = makeInstructionList(file, { initiation });
    await this.dataSource.query(
      `INSERT INTO payment_consents (kind, api_version, consent_id, client_id, status, created_at, status_updated_at, expires_at,
         initiation, conditions, charges, local_instrument, number_of_transactions, control_sum, approval_hash,
         psu_id, authorised_at, challenge_id, approved_hash, debtor_account)
       SELECT 'file-payment', '3.1', $1, $2, $3, now(), now(), now() + interval '1 day', $4, $5::json, '[]', 'UK.OBIE.FPS', $6, 1, $7::bytea,
         approved.* FROM (SELECT $3 IN ('Authorised', 'Consumed') AS is_so) AS given
         LEFT JOIN (SELECT 'psu-0', now(), 'challenge', $7::bytea, '{}'::jsonb) AS approved ON is_so`,
      [
        consentId,
        this.clientId,
        values.status ?? 'AwaitingAuthorisation',
        JSON.stringify(initiation),
        JSON.stringify({ Authorisation: values.authorisation }),
        payments.length,
        list.approvalHash,
      ],
    );
    await this.dataSource.query('INSERT INTO payment_files VALUES ($1, $2, now())', [consentId, file]);
    await this.dataSource.query('INSERT INTO instruction_lists VALUES ($1, $2, $3)', [
      consentId,
      list.instructions,
      list.amounts,
    ]);
    return consentId;
  }

  async consentStatus(consentId: string): Promise<string> {
    const [row] = await this.dataSource.query('SELECT status FROM payment_consents WHERE consent_id = $1', [consentId]);
    return row.status;
  }

  /** A valid authorization request for the consent; the values given replace claims of the request object. */
  async authorizePath(
    claims: Record<string, unknown>,
    outer: Record<string, string> = {},
    header: Record<string, unknown> = {},
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const all: Record<string, unknown> = {
      iss: this.clientId,
      client_id: this.clientId,
      aud: issuer,
      nbf: now,
      exp: now + 300,
      redirect_uri: redirectUri,
      response_type: 'code id_token',
      scope: 'openid payments',
      state: 'state-~._',
      nonce: randomBytes(8).toString('hex'),
      ...claims,
    };
    const request = await new SignJWT(JSON.parse(JSON.stringify(all)))
      .setProtectedHeader({ alg: 'PS256', kid: 'tpp-1', ...header })
      .sign(this.tppKey);
    const query = { client_id: this.clientId, response_type: String(all.response_type), request, ...outer };
    return `/oauth2/authorize?${new URLSearchParams(query).toString()}`;
  }

  /** Sends a request as no browser does. */
  async send(
    method: string,
    path: string,
    headers: Record<string, string>,
    { body }: { body?: string | Buffer } = {},
  ): Promise<Answer> {
    const { agent } = this.bankOfPages;
    return toOutcome(
      await httpsRequest({ url: `${this.origin}${path}`, method, headers, agent, ...(body && { body }) }),
    );
  }

  async #startApp(database: { url: string; poolSize: number }): Promise<void> {
    const authority = await aCertificate({ profile: 'authority', name: 'Test CA' });
    const server = await aCertificate({ profile: 'server', name: 'localhost', issuer: authority });
    const bankClient = await aCertificate({ profile: 'bank-client', name: 'aspsp', issuer: authority });
    const ca = authority.certificate;
    this.#agent = httpsAgent({ ca });
    const tls = { cert: server.certificate, key: server.privateKeyPem, ca };
    const bankPort = await this.#listen(
      createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, this.#answerAsBank),
    );
    const jwk = { ...this.tppKey.export({ format: 'jwk' }), kid: 'tpp-1', use: 'sig', alg: 'PS256' };
    const { kty, n, e, kid, use, alg } = jwk as Record<string, string>;
    const keySet = JSON.stringify({ keys: [{ kty, n, e, kid, use, alg }] });
    const directory = createServer(tls, (_request, response) => {
      response.setHeader('content-type', 'application/json').end(keySet);
    });
    this.#directoryPort = await this.#listen(directory);
    const signingKey = { ...rsa().export({ format: 'jwk' }), kid: 'aspsp-1', use: 'sig', alg: 'PS256' };
    this.config = new Config({
      reads: () => true,
      issuer,
      baseUrl: 'https://localhost:8443',
      replicaUrl: undefined,
      authUrl: 'https://localhost:8441',
      tokenUrl: 'https://localhost:8442',
      listen: { host: '127.0.0.1', port: 0 },
      admin: { host: '127.0.0.1', port: 0 },
      additionalHosts: ['127.0.0.1'],
      maxConcurrentRequests: 256,
      maxConnections: 2_000,
      shutdownDrainSeconds: 0,
      database: { preparedStatements: true, distributed: false, lockTimeoutMilliseconds: 3_000, ...database },
      tracing: { isOn: false },
      reconciliation: { seconds: 0, delaySeconds: 60 },
      housekeepingSeconds: 30,
      audit: { sealSeconds: 5, retentionDays: 0 },
      tls: {
        certificate: server.certificate,
        privateKey: server.privateKeyPem,
        clientTrustAnchors: [ca],
        clientCertificateSource: 'tls',
        ingressAddresses: [],
        isProxyProtocolSpoken: false,
        ingressTrustAnchors: [],
      },
      readWrite: { versions: ['3.1', '4.0'], isDebtorShown: false },
      signing: {
        keys: await parseSigningKeys({ keys: [signingKey] }),
        organisationId: '0'.repeat(18),
        trustAnchor: 'openbanking.org.uk',
        responseForm: 'b64-false',
        requestVerification: 'enforce',
        maxAgeSeconds: new Map(),
        jwksUri: 'https://auth.test/oauth2/jwks',
      },
      secrets: {
        clientSecretPeppers: [{ id: '1', key: randomBytes(32) }],
        pairwiseSubjectKey: { id: '1', key: randomBytes(32) },
        auditDigestKeys: [{ id: '1', key: randomBytes(32) }],
        sessionKeys: ['1', '2'].map((id) => ({ id, key: randomBytes(32) })),
        clientSecretEncryptionKeys: [{ id: '1', key: randomBytes(32) }],
      },
      directory: {
        trusted: [
          {
            issuer: 'OpenBanking Ltd',
            jwksUri: `https://localhost:${this.#directoryPort}/jwks`,
            keyHosts: [`localhost:${this.#directoryPort}`],
            ca,
            environments: ['sandbox'],
            clientTrustAnchors: [],
          },
        ],
        allowPrivateAddresses: true,
        softwareStatementMaxAgeSeconds: 0,
        revokedKeysSeconds: 86_400,
        crownDependencyRoles: false,
      },
      bank: {
        name: 'Test & Sons Bank',
        errorNamespace: 'UK.Test',
        url: `https://localhost:${bankPort}`,
        ca,
        clientCertificate: bankClient.certificate,
        clientPrivateKey: bankClient.privateKeyPem,
        timeoutMilliseconds: 60_000,
        callsAtOnce: 200,
        unboundOneTimeCodes: false,
        customerStateCheck: 'off',
      },
      look: { colour: '#0b3d66' },
      token: { accessTokenSeconds: 300, authorizationCodeSeconds: 60, refreshTokenSeconds: 3_600 },
      authorization: this.authorization,
      weakenings: [],
      unknownVariables: [],
      profile: { ...defaultProfile, plainCodeFlow: 'allow' },
      consent: { expirySeconds: 86_400, retentionDays: 0, rejectOnFileMismatch: true },
      bankRules: { mostPayments: 150, areWalletsPaid: false, limits: {} },
      filePayment: {
        tokenMode: 'either',
        needsSecondPerson: false,
        leaseSeconds: 15,
        faultLimit: 10,
        settlementDays: 10,
        cutOff: { strategy: 'accept', calendar: { times: {}, holidays: [] } },
      },
      events: { retentionDays: 30 },
      idempotency: { retentionSeconds: 86_400 },
      rateLimit: {
        windowSeconds: 10,
        perClient: 0,
        perAddress: 0,
        signInsPerAddress: 0,
        signInsPerUserName: 0,
        signInsPerSession: 10,
        signInsPerMinute: 0,
      },
      revocation: { mode: 'off', sources: [], lists: [], cacheSeconds: 600 },
      egress: {},
      registration: {
        managementBasic: true,
        schemelessBasic: true,
        maxPerSoftware: 0,
        tokenEndpointAuthMethods: ['private_key_jwt'],
        reservedClientNames: [],
        fapiProfiles: ['fapi1-advanced'],
        defaultScope: 'permitted',
        unknownScope: 'refuse',
        loopbackRedirectUris: [],
        rfc7591Errors: true,
        acceptHostIssuer: false,
        issueSecret: 'always',
        unsupportedMediaTypeStatus: 415,
        hideOtherClients: false,
        requireListedCertificate: false,
      },
      log: { level: process.env.TEST_LOG_LEVEL ?? 'fatal' },
    });
    this.origin = `https://localhost:${await this.startInstance(this.config)}`;
  }

  /** Reports declines, as the worker does. */
  async reportDeclines(): Promise<void> {
    const [app] = this.#apps;
    if (app === undefined) throw new Error('There is no instance.');
    await new DeclineReporter(app.get(DeclineNoticeQueue), app.get(DeclineReports)).reportNext();
  }

  /** @returns the port of one more instance */
  async startInstance(config: Parts.Config): Promise<number> {
    const app = await createAuthorizeApp(config, this.#clock());
    this.#apps.push(app);
    await app.listen(0, '127.0.0.1');
    return (app.getHttpServer().address() as AddressInfo).port;
  }

  #clock(): Parts.Clock {
    const currentTime = (): Date => this.now ?? new Date();
    return new (class extends Clock {
      override now(): Date {
        return currentTime();
      }
      override ofDatabase(): Date {
        return currentTime();
      }
    })();
  }

  readonly #answerAsBank: Parameters<typeof createServer>[1] = (request, response) => {
    const path = request.url ?? '';
    this.calls.push(`${request.method} ${path}`);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => this.bodies.push({ path, body: JSON.parse(Buffer.concat(chunks).toString() || 'null') }));
    const answer = this.#answerOf(request.method ?? '', path);
    if (answer === undefined) return;
    void this.#meanwhile(path).finally(() =>
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body)),
    );
  };

  async #meanwhile(path: string): Promise<void> {
    await this.silence;
    if (!path.endsWith('/verification')) return;
    const { beforeVerified } = this;
    this.beforeVerified = undefined;
    await beforeVerified?.();
  }

  #answerOf(method: string, path: string): { status: number; body: object } | undefined {
    if (path.endsWith('/payee-name-checks')) return this.bank.payeeNames;
    if (path.endsWith('/known-payees')) return this.bank.knownPayees;
    if (path.endsWith('/decline-reports')) return this.bank.declineReports;
    const { password, oneTimeCode, challenge, challengeStatus, accounts } = this.bank;
    if (path.endsWith('/password')) return password;
    if (path.endsWith('/verification')) return oneTimeCode;
    if (path.endsWith('/challenges')) return challenge;
    const isStatus = method === 'GET' && path.includes('/challenges/');
    return isStatus ? { status: this.bank.findChallengeStatus, body: { status: challengeStatus } } : accounts;
  }

  async #listen(server: Server): Promise<number> {
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }
}

export function aPayment(values: object): object {
  return {
    InstructionIdentification: 'ANSM021',
    InstructedAmount: { Amount: '1234.50', Currency: 'GBP' },
    CreditorAccount: {
      SchemeName: 'UK.OBIE.SortCodeAccountNumber',
      Identification: '08080021325698',
      Name: 'ACME <i>Supplies</i>',
    },
    RemittanceInformation: { Reference: 'INV-2026-117' },
    ...values,
  };
}

/** The parameters of a redirect's fragment. */
export function fragmentOf(answer: Answer): Record<string, string> {
  const [, fragment = ''] = String(answer.headers.location).split('#');
  return Object.fromEntries(new URLSearchParams(fragment.replaceAll('+', '%2B')));
}

export function leftHalfHash(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
}
