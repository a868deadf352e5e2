import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Pool } from 'pg';
import { pino } from 'pino';
import { parse } from 'yaml';
import { AuditNotes } from '#libs/audit';
import {
  ApproverNotification,
  BankModule,
  BankRefusedError,
  PaymentAccounts,
  PaymentScheme,
  PsuAuthentication,
} from '#libs/bank';
import { ConfigModule, type Config } from '#libs/config';
import { ensureBankSchema } from '../../apps/sandbox/src/bank/bank-schema.js';
import { createBankServer } from '../../apps/sandbox/src/bank/create-bank-server.js';
import { customers } from '../../apps/sandbox/src/bank/customers.js';
import type { HttpsServer } from '../../apps/sandbox/src/create-https-server.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../apps/sandbox/src/postgres/index.js';
import { aCertificate } from '../support/certificates.js';

/** One request as the bank got it, and its answer. */
interface Exchange {
  method: string;
  route: string;
  headers: Record<string, unknown>;
  body: unknown;
  status: number;
  answer: string;
}

interface Operation {
  operationId: string;
  parameters?: { $ref?: string }[];
  requestBody?: object;
  responses: Record<string, object>;
}

const exchanges: Exchange[] = [];
const call = { interactionId: randomUUID() };
const document = parse(await readFile(new URL('../../deploy/bank-openapi.yaml', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: object;
};
const [, bob, carol] = customers;
let folder: string;
let postgres: EmbeddedPostgres;
let pool: Pool;
let bank: HttpsServer;
let ports: TestingModule;
let settings: object;
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bank-api-'));
  postgres = await startEmbeddedPostgres({ directory: folder, settings: { fsync: 'off' } });
  await postgres.createDatabase('bank');
  pool = new Pool({ connectionString: postgres.url('bank'), max: 4 });
  // The server may end a connection of the pool before the pool has.
  pool.on('error', () => undefined);
  await ensureBankSchema(pool);
  const authority = await aCertificate({ profile: 'authority', name: 'authority' });
  const server = await aCertificate({ profile: 'server', name: 'localhost', issuer: authority });
  const client = await aCertificate({ profile: 'bank-client', name: 'service' });
  const clientCertificate = client.certificate;
  const credential = { ...server, certificateFile: '', privateKeyFile: '' };
  bank = createBankServer({ pool, credential, clientCertificate, log: pino({ level: 'silent' }) });
  bank.addHook('onSend', async (request, reply, payload) => {
    const { method, headers, body, routeOptions } = request;
    const answer = typeof payload === 'string' ? payload : '';
    exchanges.push({ method, route: routeOptions.url ?? '', headers, body, status: reply.statusCode, answer });
  });
  await bank.listen({ port: 0, host: '127.0.0.1' });
  settings = { ca: authority.certificate, clientCertificate, clientPrivateKey: client.privateKeyPem };
  ports = await connect();
});

afterAll(async () => {
  await ports?.close();
  await bank?.close();
  await pool?.end();
  await postgres?.remove();
  await rm(folder, { recursive: true, force: true });
});

class NoAudit {}
/** What the sign-in notes for the audit trail is not the matter here. */
const noAudit = {
  module: NoAudit,
  global: true,
  providers: [{ provide: AuditNotes, useValue: { note: () => undefined } }],
  exports: [AuditNotes],
};

const account = { schemeName: 'UK.OBIE.SortCodeAccountNumber', identification: '20000155779911' };
const filePaymentId = randomUUID();
const batch = {
  filePaymentId,
  consentId: randomUUID(),
  psuId: bob?.psuId ?? '',
  debtorAccount: account,
  total: '12.50000',
  currency: 'GBP',
  localInstrument: 'UK.OBIE.FPS',
};
const approval = {
  filePaymentId,
  psuId: bob?.psuId ?? '',
  debtorAccount: account,
  total: '12.50000',
  currency: 'GBP',
  numberOfPayments: 1,
  requestedBy: 'Payroll & Söhne',
  approvalsRequired: 2,
  approvalsReceived: 1,
  approvalsUrl: 'https://auth.bank.example/approvals',
  approveBefore: new Date().toISOString(),
};

describe('deploy/bank-openapi.yaml', () => {
  it('is what the adapter sends and the sandbox bank answers, every operation of it', async () => {
    const authentication = ports.get(PsuAuthentication);
    const { username = '', password = '', psuId = '', oneTimeCode = '' } = bob ?? {};
    expect(await authentication.verifyPassword({ username, password: 'x', call })).toEqual({
      outcome: 'InvalidCredentials',
    });
    expect(await authentication.verifyPassword({ username, password, call })).toMatchObject({ outcome: 'Verified' });
    expect(await authentication.verifyOneTimeCode({ psuId, oneTimeCode, call })).toMatchObject({ outcome: 'Verified' });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await authentication.verifyOneTimeCode({ psuId, oneTimeCode: '000000', call });
    }
    expect(await authentication.verifyOneTimeCode({ psuId, oneTimeCode, call })).toEqual({ outcome: 'Locked' });
    expect(await ports.get(PaymentAccounts).findPaymentAccounts({ psuId, call })).toHaveLength(2);

    const scheme = ports.get(PaymentScheme);
    expect(await scheme.reserveBatch({ batch, call })).toEqual({ decision: 'Accepted' });
    const large = { ...batch, filePaymentId: randomUUID(), total: '1500000000000000.00000' };
    expect(await scheme.reserveBatch({ batch: large, call })).toMatchObject({ decision: 'Refused' });
    const paymentId = randomUUID().replaceAll('-', '');
    const payment = {
      paymentId,
      filePaymentId,
      debtorAccount: account,
      creditorAccount: { ...account, name: 'C', secondaryIdentification: 'R1' },
      amount: '12.50',
      currency: 'GBP',
      localInstrument: 'UK.OBIE.FPS',
      endToEndIdentification: 'E',
      reference: 'R',
      unstructured: 'U',
      creditorPostalAddress: { Country: 'GB' },
      requestedExecutionDate: '2030-01-01',
    };
    await scheme.handOverPayment({ payment, call });
    expect(await scheme.findPayment({ paymentId, call })).toBeDefined();
    expect(await scheme.findPayment({ paymentId: 'nobody', call })).toBeUndefined();

    const notification = ports.get(ApproverNotification);
    expect(await notification.requestApprovals({ approval, call })).toBe('Requested');
    expect(exchanges.map(faultsOf).flat()).toEqual([]);
    const described = Object.values(document.paths).flatMap((path) => Object.values(path));
    const seen = exchanges.map((exchange) => operationOf(exchange)?.operationId);
    expect(new Set(seen)).toEqual(new Set(described.map(({ operationId }) => operationId)));
  });

  it('tells everybody else of the account once, however often it is asked', async () => {
    const notification = ports.get(ApproverNotification);
    await Promise.all([1, 2, 3].map(() => notification.requestApprovals({ approval, call })));
    const { rows } = await pool.query('SELECT psu_id, text FROM messages WHERE idempotency_key = $1', [filePaymentId]);
    expect(rows).toEqual([{ psu_id: carol?.psuId, text: expect.stringContaining(approval.approvalsUrl) }]);
    const alone = { ...approval, filePaymentId: randomUUID(), debtorAccount: { ...account, identification: 'x' } };
    await expect(notification.requestApprovals({ approval: alone, call })).rejects.toThrow(BankRefusedError);
  });

  it('may lack the operation: 404, and nobody is told', async () => {
    const without = await connect('/another-api');
    expect(await without.get(ApproverNotification).requestApprovals({ approval, call })).toBe('NotOffered');
    await without.close();
  });
});

/** The adapter, towards the sandbox bank. */
function connect(path = ''): Promise<TestingModule> {
  const url = `https://localhost:${(bank.server.address() as AddressInfo).port}${path}`;
  const config = { bank: { ...settings, url, timeoutMilliseconds: 5_000 } } as unknown as Config;
  return Test.createTestingModule({
    imports: [ConfigModule.forRoot(config), noAudit, BankModule],
  }).compile();
}

function operationOf({ method, route }: Exchange): Operation | undefined {
  return document.paths[route.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
}

/** @returns what is not as the document has it */
function faultsOf(exchange: Exchange): string[] {
  const operation = operationOf(exchange);
  if (operation === undefined) return [`${exchange.method} ${exchange.route} is not in the document`];
  const { operationId, parameters = [], requestBody, responses } = operation;
  const headers = parameters.map(({ $ref = '' }) => resolve<Parameter>($ref)).filter((each) => each?.in === 'header');
  const [status, answer] = [String(exchange.status), responses[String(exchange.status)]];
  if (answer === undefined) return [`${operationId} ${status} is not in the document`];
  return [
    ...headers.flatMap((header) =>
      faultsIn(`${operationId} ${header?.name}`, header?.schema, exchange.headers[header?.name.toLowerCase() ?? '']),
    ),
    ...faultsIn(operationId, closed(schemaIn(requestBody)), exchange.body ?? undefined),
    ...faultsIn(`${operationId} ${status}`, schemaIn(answer), exchange.answer && JSON.parse(exchange.answer)),
  ];
}

interface Parameter {
  name: string;
  in: string;
  schema: object;
}

function schemaIn(content: object | undefined): object | undefined {
  const { $ref } = (content ?? {}) as { $ref?: string };
  const described = $ref === undefined ? content : resolve<object>($ref);
  return (described as { content?: Record<string, { schema: object }> })?.content?.['application/json']?.schema;
}

function resolve<Value>(reference: string): Value | undefined {
  const names = reference.replace('#/', '').split('/');
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], document) as Value;
}

/** Nothing may be sent that the document does not name. */
function closed(schema: object | undefined): object | undefined {
  return schema && { ...schema, unevaluatedProperties: false };
}

function faultsIn(place: string, schema: object | undefined, value: unknown): string[] {
  // A refusal may say why in words for people; the adapter does not read them.
  if (schema === undefined)
    return value === undefined || place.endsWith('404') || value === '' ? [] : [`${place}: has a body`];
  const validate = ajv.compile({ ...schema, components: document.components });
  return validate(value) ? [] : [`${place}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`];
}
