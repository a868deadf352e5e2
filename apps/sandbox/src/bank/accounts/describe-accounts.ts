import type { Config } from '#libs/config';
import { statusPhrases } from '#libs/error-catalogue';
import type { FurtherDocument } from '../../../../api/src/create-api-app.js';
import { type AccountResource, accountResources, accountsBelow, accountsVersions } from './account-resources.js';
import type { BankAccount } from './bank-accounts.js';
import { type AccountsVersion, errorBody, Refusal } from './refusal.js';

/** An account, for examples: the answers are written by the server's own functions. */
const example: BankAccount = {
  accountId: '01890a5d-ac96-774b-bcce-b302099a8057',
  schemeName: 'UK.OBIE.SortCodeAccountNumber',
  identification: '20000112345678',
  name: 'Archer Payroll',
  isPersonal: false,
  isBlocked: false,
  balancePence: 1_250_000n,
  availablePence: 1_229_455n,
};
const exampleNow = new Date('2030-01-31T09:30:00Z');
const exampleId = '0f6c2b1e-5d4a-4c8b-9e7f-2a3b4c5d6e7f';
const refusals = [
  new Refusal(400, 'Resource.NotFound', 'There is no such account.'),
  new Refusal(400, 'Header.Invalid', 'x-fapi-interaction-id must be a UUID (RFC 4122).'),
  new Refusal(403, 'Resource.Forbidden', 'The customer did not permit it.'),
  new Refusal(500, 'UnexpectedError', 'The request could not be processed.'),
];

/** @returns the API documents of the sandbox bank's own server for accounts, one for each version that is served */
export function describeAccounts({ baseUrl, readWrite }: Pick<Config, 'baseUrl' | 'readWrite'>): FurtherDocument[] {
  return accountsVersions
    .filter((version) => readWrite.versions.includes(version))
    .map((version) => ({
      name: version === '3.1' ? 'sandbox-accounts' : `sandbox-accounts-${version}`,
      title: version === '3.1' ? 'Accounts (sandbox)' : `Accounts (sandbox) v${version}`,
      content: documentOf(version, baseUrl),
    }));
}

function documentOf(version: AccountsVersion, baseUrl: string): object {
  const paths = accountResources.map((resource) => {
    const path = `${accountsBelow(version)}${resource.path}`;
    return [path.replace(':AccountId', '{AccountId}'), { get: operationOf(resource, path, { version, baseUrl }) }];
  });
  return {
    openapi: '3.1.0',
    info: {
      title: `Accounts v${version} – the sandbox’s own bank`,
      version: version === '3.1' ? '3.1.11' : '4.0.1',
      description:
        'The accounts that a customer has let you read, as the bank of the sandbox serves them (see Account access). ' +
        'A production bank has a server of its own for them. Send the token of the approval, on a connection with ' +
        'the certificate with which you obtained it.',
    },
    servers: [{ url: baseUrl }],
    tags: [{ name: 'Accounts', description: 'Read the accounts of a consent and their balances.' }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        mutualTls: { type: 'mutualTLS', description: 'The transport certificate of the TPP.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'Access token of the customer’s approval.' },
      },
    },
  };
}

function operationOf(
  { path, needed, summary, description, write }: AccountResource,
  fullPath: string,
  { version, baseUrl }: { version: AccountsVersion; baseUrl: string },
): object {
  const context = { version, self: `${baseUrl}${fullPath.replace(':AccountId', example.accountId)}` };
  const answers = [true, false].map((hasDetail) => write({ accounts: [example], hasDetail, now: exampleNow }, context));
  const id = { name: 'AccountId', in: 'path', required: true, description: 'From the list of accounts.' };
  return {
    tags: ['Accounts'],
    operationId: `Get${fullPath.replace(/\W|open-banking|aisp/g, '')}`,
    summary,
    description: `${description} Permission ${needed.join(' or ')}.`,
    security: [{ mutualTls: [], bearer: [] }],
    parameters: [
      ...(path === '' ? [] : [{ ...id, schema: { type: 'string' } }]),
      {
        name: 'x-fapi-interaction-id',
        in: 'header',
        description: 'Id of the request. The answer repeats it.',
        schema: { type: 'string', format: 'uuid' },
      },
    ],
    responses: {
      200: answerOf(summary, answers),
      401: { description: 'The certificate or the token is missing or not valid.' },
      406: { description: 'The Accept header does not allow application/json.' },
      ...Object.fromEntries(
        [400, 403, 500].map((status) => {
          const bodies = refusals.filter((refusal) => refusal.status === status);
          return [
            status,
            answerOf(
              statusPhrases[status] ?? String(status),
              bodies.map((refusal) => errorBody(refusal, version, exampleId)),
            ),
          ];
        }),
      ),
    },
  };
}

function answerOf(description: string, bodies: readonly object[]): object {
  const examples = bodies.map((value, index) => [`example${index + 1}`, { value }]);
  const content = { schema: schemaOf(bodies), examples: Object.fromEntries(examples) };
  return { description, content: { 'application/json': content } };
}

/** @returns the JSON schema of answers that have no other members, and differ only in those that may be absent */
function schemaOf(values: readonly unknown[]): object {
  const [first] = values;
  if (Array.isArray(first)) return { type: 'array', items: schemaOf(values.flat()) };
  if (typeof first !== 'object' || first === null) return { type: typeof first };
  const objects = values as readonly Readonly<Record<string, unknown>>[];
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const valuesOf = (name: string) => objects.flatMap((object) => (name in object ? [object[name]] : []));
  return {
    type: 'object',
    required: names.filter((name) => valuesOf(name).length === objects.length),
    properties: Object.fromEntries(names.map((name) => [name, schemaOf(valuesOf(name))])),
    additionalProperties: false,
  };
}
