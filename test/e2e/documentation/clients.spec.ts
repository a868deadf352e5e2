import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createConfig, lint } from '@redocly/openapi-core';
import openapiTypes, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { readDocument, root } from './api-document.js';

const folder = join(root, 'apps/openapi/documents');
const areas = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''));

/**
 * Programs of a TPP that use the types of a document; they do not compile if the document says too much or too little.
 */
const programs: Readonly<Record<string, string>> = {
  accounts: `
    type Stage = paths['/open-banking/v3.1/aisp/account-access-consents']['post'];
    export const body: Stage['requestBody']['content']['application/json'] = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    // @ts-expect-error Risk is always there
    export const risky: Stage['requestBody']['content']['application/json'] = { Data: { Permissions: ['ReadAccountsBasic'] } };`,
  'accounts-4.0': `
    type Read = paths['/open-banking/v4.0/aisp/account-access-consents/{ConsentId}']['get'];
    type Consent = Read['responses'][200]['content']['application/json'];
    export const isGiven = ({ Data }: Consent): boolean => Data.Status === 'AUTH';`,
  'funds-confirmation': `
    type Ask = paths['/open-banking/v3.1/cbpii/funds-confirmations']['post'];
    type Answer = Ask['responses'][201]['content']['application/json'];
    export const isEnough = ({ Data }: Answer): boolean => Data.FundsAvailable;`,
  'funds-confirmation-4.0': `
    type Stage = paths['/open-banking/v4.0/cbpii/funds-confirmation-consents']['post'];
    type Body = Stage['requestBody']['content']['application/json'];
    const DebtorAccount = { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB29NWBK60161331926819' };
    export const body: Body = { Data: { DebtorAccount } };
    // @ts-expect-error the account is always named
    export const nobody: Body = { Data: {} };`,
  'domestic-payments': `
    type Stage = paths['/open-banking/v3.1/pisp/domestic-payment-consents']['post'];
    type Body = Stage['requestBody']['content']['application/json'];
    declare const Initiation: components['schemas']['OBDomestic2'];
    export const body: Body = { Data: { Initiation, ReadRefundAccount: 'Yes' }, Risk: { ContractPresentInidicator: true } };
    // @ts-expect-error Risk is always there
    export const risky: Body = { Data: { Initiation } };`,
  'domestic-payments-4.0': `
    type Ask = paths['/open-banking/v4.0/pisp/domestic-payment-consents/{ConsentId}/funds-confirmation']['get'];
    type Answer = Ask['responses'][200]['content']['application/json'];
    export const isEnough = ({ Data }: Answer): boolean => Data.FundsAvailableResult.FundsAvailable;`,
  authorisation: `
    type Query = paths['/oauth2/authorize']['get']['parameters']['query'];
    export const least: Query = { client_id: 'c', request: 'header.claims.signature' };
    export const pushed: Query = { client_id: 'c', request_uri: 'urn:ietf:params:oauth:request_uri:x' };
    // @ts-expect-error client_id is always needed
    export const nobody: Query = { request: 'header.claims.signature' };`,
  'file-payments': `
    type Upload = paths['/open-banking/v3.1/pisp/file-payment-consents/{ConsentId}/file']['post'];
    type Body = Upload['requestBody']['content']['application/json'];
    declare const payment: components['schemas']['OBDomesticPaymentItem'];
    export const bodies: Body[] = [{ File: { Data: { DomesticPayments: [payment] } } }, { Data: { DomesticPayments: [payment] } }];
    export const address: Upload['parameters']['header']['x-fapi-customer-ip-address'] = '2001:db8::7';
    // @ts-expect-error neither of them
    export const none: Body = {};`,
  'file-payments-4.0': `
    type Upload = paths['/open-banking/v4.0/pisp/file-payment-consents/{ConsentId}/file']['post'];
    declare const payment: components['schemas']['OBDomestic2'];
    export const bare: Upload['requestBody']['content']['application/json'] = { Data: { DomesticPayments: [payment] } };`,
  'discovery-and-registration': `
    type Registered = paths['/open-banking/v3.2/register']['post']['responses'][201]['content']['application/json'];
    export const method = (client: Registered): string => client.token_endpoint_auth_method;
    // @ts-expect-error each member once
    export const again = (client: Registered): string => client.tokenEndpointAuthMethod;`,
};

/** @returns the compiler's messages about these files, by their names */
function compile(files: ReadonlyMap<string, string>): string[] {
  const options = { strict: true, noEmit: true, skipLibCheck: true, lib: ['lib.es2022.d.ts'], types: [] };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) => {
    const text = files.get(name);
    return text === undefined ? getSourceFile(name, ...rest) : ts.createSourceFile(name, text, ts.ScriptTarget.ES2022);
  };
  return ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host)).map(({ file, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, '\n');
    return `${file?.fileName}: ${message}`;
  });
}

describe('the API documents', () => {
  it('make types that compile, with programs that use them', async () => {
    expect(Object.keys(programs).toSorted()).toEqual(areas.toSorted());
    const files = new Map<string, string>();
    for (const area of areas) {
      const types = astToString(await openapiTypes(readDocument(area) as never, { silent: true }));
      files.set(`${area}.ts`, `${types}\n${programs[area]}`);
    }
    expect(compile(files)).toEqual([]);
  });

  it.each(areas)('of %s keep every recommended rule of Redocly', async (area) => {
    // The addresses of the documents are those of the sandbox.
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-server-example.com': 'off' } });
    const found = await lint({ ref: join(folder, `${area}.json`), config });
    // The answer to a browser's form is a redirect.
    const form = 'operation-2xx-response #/paths/~1oauth2~1authorize/post/responses';
    const faults = found.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
    expect(faults.filter((fault) => !fault.startsWith(form))).toEqual([]);
  });
});
