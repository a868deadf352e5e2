import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Get, Post, type Type } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { bodiless, ApiAnswers } from '#libs/api-description';
import { describeReadWriteAreas, Resource, ResourcesModule, areas, serve } from '../support/apps/api.js';
import { accessVersion31, accessVersion40, type WireArea } from '../support/apps/wires.js';
import { createAreas, createCollection, createDocuments } from '../support/apps/openapi.js';

const ofRoot = (path: string): string => `${import.meta.dirname}/../../${path}`;

/** @returns a source without its comments */
const codeOf = (path: string): string =>
  readFileSync(ofRoot(path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

/**
 * @returns the source files of the service by path, without comments: clients, the sandbox and migrations are not part
 * of it
 */
function sourcesOfService(): ReadonlyMap<string, string> {
  const paths = ['apps', 'libs'].flatMap((top) =>
    readdirSync(ofRoot(top), { recursive: true, encoding: 'utf8' }).map((path) => `${top}/${path}`),
  );
  const own = paths.filter(
    (path) => path.endsWith('.ts') && !/\.spec\.ts$|\/migrations\/|^apps\/(?:tpp|sandbox)\//.test(path),
  );
  return new Map(own.map((path) => [path, codeOf(path)]));
}

/** @returns the files that name at least two of these */
function namingSeveral(names: readonly RegExp[], isLookedAt: (path: string) => boolean): string[] {
  return [...sourcesOfService()]
    .filter(([path, code]) => isLookedAt(path) && names.filter((name) => name.test(code)).length > 1)
    .map(([path]) => path)
    .toSorted();
}

/** Standing orders, reduced to the least: the answer is that there are none. */
const standingOrders = [accessVersion31, accessVersion40].map(({ version, root, errorBody }): WireArea => ({
  version,
  document: {
    name: `standing-orders-${version}`,
    title: `Standing orders v${version}`,
    edition: version,
    description: 'One order.',
    tags: { 'Standing order consents': 'What the customer is asked to approve: a payment.' },
  },
  area: 'payment initiation',
  prefix: `${root}/pisp`,
  refusals: {},
  errorBody,
  areLimitsTold: false,
  isClosed: true,
  isSigned: true,
}));

class StandingOrdersModule {}
class StandingOrdersService {}

function createStandingOrdersController(wire: WireArea): Type {
  const path = 'standing-order-consents';
  const scope = 'payments';

  @Resource(wire, { path, scope, consentPath: 'ConsentId' })
  class StandingOrderConsentsController {
    @Post()
    @ApiTags('Standing order consents')
    @ApiOperation({
      operationId: 'CreateStandingOrderConsents',
      summary: 'Stage a standing order',
      description: 'One.',
    })
    @ApiAnswers({ 201: bodiless('The consent.') })
    create(): object {
      return {};
    }

    @Get(':ConsentId')
    @ApiTags('Standing order consents')
    @ApiOperation({
      operationId: 'GetStandingOrderConsents',
      summary: 'Read a standing order consent',
      description: 'One.',
    })
    @ApiAnswers({ 200: bodiless('The consent.') })
    read(): object {
      return {};
    }
  }
  return StandingOrderConsentsController;
}

describe('a further kind', () => {
  const further = serve(standingOrders, {
    imports: [StandingOrdersModule],
    providers: [StandingOrdersService],
    createControllers: (wire) => [createStandingOrdersController(wire)],
  });
  const all = [...areas, ...further];

  it('is served by what its entry in the list says', () => {
    const { imports, providers, controllers = [] } = ResourcesModule.forRoot({} as never, all);
    expect(imports).toContain(StandingOrdersModule);
    expect(providers).toContain(StandingOrdersService);
    const addresses = controllers.map((controller) => Reflect.getMetadata('path', controller) as string);
    expect(addresses).toContain('open-banking/v3.1/pisp/standing-order-consents');
    expect(addresses).toContain('open-banking/v4.0/pisp/standing-order-consents');
  });

  it('has its API documents, and its requests in the collection', async () => {
    const documents = await createDocuments(createAreas(describeReadWriteAreas(all)));
    const document = documents.get('standing-orders-4.0');
    expect(document?.info.title).toMatch(/^Standing orders v4\.0 –/);
    expect(document?.info.description).toMatch(/^One order\.\n\n/);
    expect(Object.keys(document?.paths ?? {})).toEqual([
      '/open-banking/v4.0/pisp/standing-order-consents',
      '/open-banking/v4.0/pisp/standing-order-consents/{ConsentId}',
    ]);
    const names = [...createCollection(documents.values()).keys()].map((name) => name.replace(/^\d+ /, ''));
    expect(names).toContain('Stage a standing order.bru');
    expect(names.at(-1)).not.toMatch(/standing/);
  });

  it('joins no other list: these files alone speak of payments and of access', () => {
    const payments = /file-?payment/i;
    const access = /(?:account-?access|funds-?confirmation)(?!-?(?:s?\.dto|Resources))/i;
    // Funds are confirmed for a single payment, too.
    const ofAccess = /^apps\/api\/src\/wire\/(?:account-access|funds-confirmation)\/|\/domestic-payment\//;
    expect(namingSeveral([payments, access], (path) => !ofAccess.test(path))).toEqual(
      [
        // The requests of the collection that need their own place.
        'apps/openapi/src/create-collection.ts',
        // What a wire of each kind is like; that of a further kind stands beside it.
        'apps/api/src/wire/wire.ts',
        // The list.
        'apps/api/src/wire/wires.ts',
        // Causes of errors that several kinds have.
        'libs/error-catalogue/src/bank-errors.ts',
      ].toSorted(),
    );
  });
});

/** @returns the files whose code matches */
function filesWith(pattern: RegExp): string[] {
  return [...sourcesOfService()].flatMap(([path, code]) => (pattern.test(code) ? [path] : [])).toSorted();
}

// That such a kind is staged, approved, paid, reconciled and erased: test/integration/orders/further-kind.int-spec.ts.
describe('what handles consents and orders of several kinds', () => {
  it('takes the name of a kind from the consent, and spells none', () => {
    const spelt = /['"`(]file-payment(?:-consent)?(?:['"`]|\.(?!ts\b|js\b))/;
    expect(filesWith(spelt)).toEqual(['libs/consent/src/consent-kind.ts']);
    expect(
      ["'file-payment'", "`'file-payment-consent'`", "'file-payment.status'"].every((text) => spelt.test(text)),
    ).toBe(true);
    expect(
      ["'create-file-payment'", "'./file-payment.module.js'", "'#libs/file-payment'"].some((text) => spelt.test(text)),
    ).toBe(false);
  });

  it('asks for the kind of file payments only where there is a file', () => {
    const ofFiles =
      /(?:^libs\/file-payment\/|\/wire\/v[\d.]+\/file-payment\/|^apps\/api\/src\/resources\/[a-z-]*file-payment)/;
    expect(filesWith(/\bfilePaymentKind\b/).filter((path) => !ofFiles.test(path))).toEqual([
      'libs/consent/src/consent-kind.ts',
      'libs/consent/src/index.ts',
    ]);
    expect(filesWith(/\bfilePaymentKind\b/).filter((path) => path.startsWith('libs/file-payment/'))).toEqual([
      'libs/file-payment/src/file-report.service.ts',
      'libs/file-payment/src/file-upload-sql.ts',
      'libs/file-payment/src/file-upload.service.ts',
    ]);
  });
});

/** @returns the paths in code at the beginning of the items of a list */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/^(?:- |\d+\. )`([^`]+\.(?:ts|md))`/gm)].map(([, path = '']) => path);

describe('the page on further kinds and versions', () => {
  const page = readFileSync(ofRoot('docs/how-to/add-a-version-or-a-kind.md'), 'utf8');
  const [, ofKind = ''] = page.split('## A kind of consent that pays');
  const [written = '', edited = ''] = ofKind.split('A kind needs three edits:');

  it('lists the files that the last kind took, and each is there', () => {
    const paths = pathsIn(written);
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter((path) => !existsSync(ofRoot(path)))).toEqual([]);
  });

  it('lists at most 3 files to edit, of which one is part of the service', () => {
    const paths = pathsIn(edited);
    expect(paths.filter((path) => !existsSync(ofRoot(path)))).toEqual([]);
    expect(paths).toEqual([
      'apps/api/src/wire/wires.ts',
      'docs/explanation/architecture.md',
      'apps/openapi/src/create-collection.ts',
    ]);
  });
});

describe('a further version', () => {
  it('joins three lists: these files alone name two versions', () => {
    const old = /['"`/v]3[.-]1\b(?!\.\d)|[a-z]31\b/;
    const young = /['"`/v]4[.-]0\b(?!\.\d)|[a-z]40\b/;
    const ofVersion = /^apps\/api\/src\/wire\/v[\d.]+\//;
    expect(namingSeveral([old, young], (path) => !ofVersion.test(path))).toEqual([
      'apps/api/src/api.settings.ts',
      'apps/api/src/wire/wires.ts',
      // Words of the error catalogue that tell one version from the other.
      'libs/error-catalogue/src/api-refusals.ts',
      'libs/error-catalogue/src/ob-errors.ts',
      // Events name a state as its version does.
      'libs/events/src/domain-event.ts',
      'libs/file-payment/src/formats/payment-formats.ts',
      'libs/obie-rules/src/index.ts',
      'libs/obie-rules/src/state-names.ts',
    ]);
  });
});
