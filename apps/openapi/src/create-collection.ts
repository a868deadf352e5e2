import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';
import { exampleAddresses } from '#libs/api-description';
import { signatureForms } from '../../api/src/describe-api-app.js';

/** A step of the collection: what is done before and after its operation. */
interface Step {
  /** function of lib/open-banking.js that prepares the request */
  readonly prepare?:
    | 'signRegistration'
    | 'authenticateClient'
    | 'signBody'
    | 'payApproved'
    | 'signRequestObject'
    | 'approveAccess'
    | 'approvePayment';
  /** runs after the answer */
  readonly keep?: string;
  /** variable of the token; default: access_token */
  readonly token?: 'access_token' | 'customer_token' | 'accounts_token';
  /** what else is asserted about the answer: expression and condition */
  readonly asserts?: readonly string[];
  /** status of the answer; default: the first documented success */
  readonly status?: number;
}

/** By operation, in the order of the requests. */
type Steps = Readonly<Record<string, Step>>;

const keepConsentId = "bru.setVar('consent_id', res.getBody().Data.ConsentId);";
const keepConsent = `${keepConsentId}\n  bru.setVar('initiation', JSON.stringify(res.getBody().Data.Initiation));`;

/** The first operations: those of payments in their order, then those of access. Unlisted ones come before the end. */
const beginning: Steps = {
  GetOpenidConfiguration: {},
  getKeySet: {},
  RegisterClient: { prepare: 'signRegistration', keep: "bru.setVar('client_id', res.getBody().client_id);" },
  createToken: { prepare: 'authenticateClient', keep: "bru.setVar('access_token', res.getBody().access_token);" },
  GetClient: {},
  UpdateClient: { prepare: 'signRegistration' },
  CreateFilePaymentConsents: { prepare: 'signBody', keep: keepConsent },
  CreateFilePaymentConsentsConsentIdFile: { prepare: 'signBody' },
  GetFilePaymentConsentsConsentId: {},
  GetFilePaymentConsentsConsentIdFile: {},
  authorize: {
    prepare: 'signRequestObject',
    keep: "await require('./lib/open-banking.js').approveAsCustomer(bru);",
    // Bruno follows the redirect to the customer's first page.
    status: 200,
  },
  CreateFilePayments: {
    prepare: 'payApproved',
    keep: "bru.setVar('payment_order_id', res.getBody().Data.FilePaymentId);",
  },
  GetFilePaymentsFilePaymentId: {},
  GetFilePaymentsFilePaymentIdPaymentDetails: {},
  GetFilePaymentsFilePaymentIdReportFile: {},
  CreateDomesticPaymentConsents: {
    prepare: 'signBody',
    keep: `${keepConsent}\n  bru.setVar('risk', JSON.stringify(res.getBody().Risk));`,
  },
  GetDomesticPaymentConsentsConsentId: {},
  GetDomesticPaymentConsentsConsentIdFundsConfirmation: { prepare: 'approvePayment', token: 'customer_token' },
  CreateDomesticPayments: {
    prepare: 'payApproved',
    token: 'customer_token',
    keep: "bru.setVar('payment_order_id', res.getBody().Data.DomesticPaymentId);",
  },
  GetDomesticPaymentsDomesticPaymentId: {},
  GetDomesticPaymentsDomesticPaymentIdPaymentDetails: {},
  CreateAccountAccessConsents: { keep: keepConsentId },
  GetAccountAccessConsentsConsentId: {},
  GetAccounts: {
    prepare: 'approveAccess',
    token: 'accounts_token',
    keep: "bru.setVar('account_id', res.getBody().Data.Account[0].AccountId);",
    asserts: ['res.body.Data.Account[0].AccountId: isString', 'res.body.Data.Account[0].Currency: eq GBP'],
  },
  GetAccountsAccountId: {
    token: 'accounts_token',
    asserts: ['res.body.Data.Account.length: eq 1', 'res.body.Data.Account[0].AccountId: eq {{account_id}}'],
  },
  GetAccountsAccountIdBalances: {
    token: 'accounts_token',
    asserts: [
      'res.body.Data.Balance[0].AccountId: eq {{account_id}}',
      'res.body.Data.Balance[0].Amount.Currency: eq GBP',
    ],
  },
  DeleteAccountAccessConsentsConsentId: {},
  CreateFundsConfirmationConsents: { keep: keepConsentId },
  GetFundsConfirmationConsentsConsentId: {},
  // It needs the token of a customer who has agreed: the client's own is refused.
  CreateFundsConfirmations: { status: 403 },
  DeleteFundsConfirmationConsentsConsentId: {},
};
const ending: Steps = {
  revokeToken: { prepare: 'authenticateClient' },
  getUserinfo: { token: 'customer_token' },
  postUserinfo: { token: 'customer_token' },
  // For the bank's own servers: a TPP is refused.
  introspectToken: { status: 401 },
  pushAuthorizationRequest: { prepare: 'authenticateClient' },
  DeleteClient: {},
};

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  readonly server: string;
  readonly parameters: readonly { name: string; in: string; required?: boolean }[];
  readonly requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
  readonly responses: Readonly<Record<string, unknown>>;
  readonly security?: readonly Record<string, unknown>[];
  /** bodies by version, where they differ */
  readonly examples?: ReadonlyMap<string, unknown>;
}

const servers: Readonly<Record<string, string>> = {
  [exampleAddresses.baseUrl]: '{{base_url}}',
  [exampleAddresses.authUrl]: '{{auth_url}}',
  [exampleAddresses.tokenUrl]: '{{token_url}}',
};
const ids: Readonly<Record<string, string>> = {
  ConsentId: '{{consent_id}}',
  FilePaymentId: '{{payment_order_id}}',
  DomesticPaymentId: '{{payment_order_id}}',
  ClientId: '{{client_id}}',
  AccountId: '{{account_id}}',
  version: '{{version}}',
};

/** The bank's own server answers these, and the sandbox has one. No document of this service describes them. */
const accounts: readonly Operation[] = [
  [
    'GetAccounts',
    '/accounts',
    'Read the accounts',
    'The accounts that the customer chose. A script approves as the customer first.',
  ],
  ['GetAccountsAccountId', '/accounts/{AccountId}', 'Read one account', 'One of the accounts that the customer chose.'],
  [
    'GetAccountsAccountIdBalances',
    '/accounts/{AccountId}/balances',
    'Read the balances of an account',
    'Needs the permission ReadBalances.',
  ],
].map(([operationId = '', path = '', summary = '', description = '']) => ({
  operationId,
  summary,
  description: `${description} The bank's own server answers; the sandbox has one.`,
  method: 'get',
  path: `/open-banking/v{version}/aisp${path}`,
  server: exampleAddresses.baseUrl,
  parameters: [],
  responses: { '200': {} },
  security: [{ bearer: [] }],
}));

/**
 * The collection for Bruno: one request for each operation of the documents, in the order of a payment. `authorize` is
 * there once, as GET. The environment names the version of the Read/Write API.
 * @returns the generated files by their path below the folder of the collection
 */
export function createCollection(documents: Iterable<OpenAPIObject>): Map<string, string> {
  const described = [...documents].flatMap(operationsOf);
  const operations = [...new Set(described.map(({ operationId }) => operationId))].map((operationId) =>
    joinVersions(described.filter((each) => each.operationId === operationId)),
  );
  operations.push(...accounts);
  const journey = journeyThrough(operations);
  const files = new Map<string, string>([
    ['environments/example.bru', exampleEnvironment],
    ['lib/versions.json', versionsFile(operations)],
  ]);
  const names = new Set<string>();
  for (const [index, [id, step]] of journey.entries()) {
    const operation = operations.find(({ operationId }) => operationId === id);
    if (operation === undefined) throw new TypeError(`No API document contains ${id}.`);
    if (names.has(operation.summary)) throw new TypeError(`Two requests have the name ${operation.summary}.`);
    names.add(operation.summary);
    const name = `${String(index + 1).padStart(2, '0')} ${operation.summary}`;
    files.set(`${name}.bru`, describeRequest(operation, step, name, index + 1));
  }
  return files;
}

/** @param versions the same operation in each version that has it, the oldest first */
function joinVersions(versions: readonly Operation[]): Operation {
  const [first] = versions as [Operation];
  if (versions.length === 1) return first;
  const names = [...signatureForms.keys()];
  const descriptions = new Set(versions.map(({ description }) => description));
  const examples = versions.map(exampleOf);
  return {
    ...first,
    path: first.path.replace(/\/v\d\.\d\//, '/v{version}/'),
    description:
      descriptions.size === 1
        ? first.description
        : versions.map(({ description }, index) => `v${names[index]}: ${description}`).join('\n\n'),
    ...(!examples.every((example) => isDeepStrictEqual(example, examples[0])) && {
      examples: new Map(examples.map((example, index) => [names[index] ?? '', example])),
    }),
  };
}

const exampleOf = ({ requestBody }: Operation): unknown =>
  Object.values(Object.values(requestBody?.content ?? {})[0]?.examples ?? {})[0]?.value;

/** What the scripts need to know of each version: its signatures, and the bodies that differ. */
function versionsFile(operations: readonly Operation[]): string {
  const versions = [...signatureForms].map(([version, form]) => [
    version,
    {
      isEncoded: form === 'b64-absent',
      examples: Object.fromEntries(
        operations.flatMap(({ operationId, examples }) => (examples ? [[operationId, examples.get(version)]] : [])),
      ),
    },
  ]);
  return `${JSON.stringify(Object.fromEntries(versions), undefined, 2)}\n`;
}

function journeyThrough(operations: readonly Operation[]): readonly (readonly [operationId: string, Step])[] {
  const others = operations.filter(({ operationId }) => !(operationId in beginning) && !(operationId in ending));
  return [
    ...Object.entries(beginning),
    ...others.map((operation) => [operation.operationId, stepOf(operation)] as const),
    ...Object.entries(ending),
  ];
}

/** Signed if documented so. A request that stages a consent stores its id for the next requests. */
function stepOf({ method, path, parameters }: Operation): Step {
  return {
    ...(parameters.some(({ name }) => name === 'x-jws-signature') && method === 'post' && { prepare: 'signBody' }),
    ...(method === 'post' && path.endsWith('-consents') && { keep: keepConsentId }),
  };
}

function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const { servers: [server] = [], ...methods } = item as unknown as Record<string, Partial<Operation>> & {
      servers?: { url: string }[];
    };
    return Object.entries(methods)
      .filter(([, { operationId }]) => operationId !== undefined && operationId !== 'authorizeByForm')
      .map(
        ([method, operation]) =>
          ({ parameters: [], ...operation, method, path, server: server?.url ?? '' }) as unknown as Operation,
      );
  });
}

function describeRequest(operation: Operation, step: Step, name: string, sequence: number): string {
  const { prepare, keep, asserts = [] } = step;
  const url = servers[operation.server] + operation.path.replace(/\{(\w+)\}/g, (_all, id: string) => ids[id] ?? '');
  const [mediaType] = Object.keys(operation.requestBody?.content ?? {});
  const example = operation.examples ? `{{${operation.operationId}}}` : JSON.stringify(exampleOf(operation));
  const text = mediaType === undefined ? undefined : mediaType === 'application/json' ? example : ' ';
  const headers = headersOf(operation, step, mediaType);
  const script =
    prepare === undefined
      ? ''
      : block('script:pre-request', `await require('./lib/open-banking.js').${prepare}(req, bru);`);
  return [
    block('meta', `name: ${name}\ntype: http\nseq: ${sequence}`),
    block(operation.method, `url: ${url}\nbody: ${text === undefined ? 'none' : 'text'}\nauth: none`),
    block('headers', headers.join('\n')),
    ...(text === undefined ? [] : [block('body:text', text)]),
    ...(script === '' ? [] : [script]),
    ...(keep === undefined ? [] : [block('script:post-response', `if (res.getStatus() < 300) {\n  ${keep}\n}`)]),
    block('assert', [`res.status: eq ${statusOf(operation, step)}`, ...asserts].join('\n')),
    block('docs', operation.description),
  ].join('\n');
}

function statusOf({ operationId, responses }: Operation, { status }: Step): string {
  const good = status ?? Object.keys(responses).find((each) => each.startsWith('2'));
  if (good === undefined) throw new TypeError(`${operationId} has no successful answer.`);
  return String(good);
}

function headersOf(
  { parameters, security, path }: Operation,
  { token = 'access_token' }: Step,
  mediaType: string | undefined,
): string[] {
  const needsToken = security?.some((scheme) => 'bearer' in scheme) === true;
  const isPage = path === '/oauth2/authorize';
  return [
    `accept: ${isPage ? 'text/html' : 'application/json'}`,
    ...(mediaType === undefined ? [] : [`content-type: ${mediaType}`]),
    ...(needsToken ? [`authorization: Bearer {{${token}}}`] : []),
    ...(parameters.some(({ name }) => name === 'x-idempotency-key') ? ['x-idempotency-key: {{$guid}}'] : []),
  ];
}

function block(name: string, content: string): string {
  const indented = content.split('\n').map((line) => (line === '' ? '' : `  ${line}`));
  return `${name} {\n${indented.join('\n')}\n}\n`;
}

/** The variables of an environment: what the requests and their scripts need to know of a TPP and its bank. */
const environmentVariables = [
  'version',
  'base_url',
  'auth_url',
  'token_url',
  'base_url_host',
  'token_url_host',
  'issuer',
  'ca',
  'transport_certificate',
  'transport_key',
  'signing_key',
  'signing_kid',
  'software_statement',
  'org_id',
  'software_id',
  'redirect_uri',
  'customer',
  'customer_password',
  'customer_code',
] as const;

export function createEnvironment(
  values: Readonly<Partial<Record<(typeof environmentVariables)[number], string>>>,
): string {
  return block('vars', environmentVariables.map((name) => `${name}: ${values[name] ?? ''}`).join('\n'));
}

const exampleEnvironment = createEnvironment({
  version: [...signatureForms.keys()][0] ?? '',
  base_url: exampleAddresses.baseUrl,
  auth_url: exampleAddresses.authUrl,
  token_url: exampleAddresses.tokenUrl,
  base_url_host: new URL(exampleAddresses.baseUrl).host,
  token_url_host: new URL(exampleAddresses.tokenUrl).host,
  issuer: `${exampleAddresses.baseUrl}/open-banking/v3.0`,
});
