import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { envoyPassThroughExceptions, envoyPassThroughRules } from './envoy-pass-through-rules.js';
import { envoyExceptions, envoyRules, parseEnvoy } from './envoy-rules.js';
import { gatewayExceptions, gatewayRules, parseGateway, type GatewayForm } from './gateway-rules.js';
import { formPaths, placesOf, without, type Exception } from './yaml-node.js';

// Neither Envoy nor a cluster runs here: these files are held to what the others are tested for.

/**
 * Takes away every place of a document, one after the other: some rule must notice, or the place is one of those that
 * protect nothing.
 */
function expectEveryPlaceHeld<Document>(
  document: Document,
  rules: Readonly<Record<string, (document: Document) => void>>,
  exceptions: readonly Exception[],
): void {
  const isWhole = (changed: Document): boolean => {
    try {
      for (const rule of Object.values(rules)) rule(changed);
      return true;
    } catch {
      return false; // a rule has noticed
    }
  };
  expect(isWhole(document)).toBe(true);
  const places = placesOf(document);
  const unnoticed = places.filter((path) => isWhole(without(document, path))).map((path) => path.join('.'));
  const isExcepted = (path: string): boolean => exceptions.some((exception) => exception.path.test(path));
  expect(unnoticed.filter((path) => !isExcepted(path))).toEqual([]);
  const stale = exceptions.filter(({ path }) => !unnoticed.some((place) => path.test(place)));
  expect(stale).toEqual([]);
}

const readPassThrough = () => parseEnvoy(readFileSync('deploy/ingress/pass-through/envoy.yaml', 'utf8'));

describe('deploy/ingress/pass-through/envoy.yaml', () => {
  it.each(Object.keys(envoyPassThroughRules))('%s', (name) => {
    envoyPassThroughRules[name]?.(readPassThrough());
  });

  it('the removal of any protection is noticed', () => {
    expectEveryPlaceHeld(readPassThrough(), envoyPassThroughRules, envoyPassThroughExceptions);
  });
});

const readEnvoy = () => parseEnvoy(readFileSync('deploy/ingress/terminating/envoy.yaml', 'utf8'));

describe('deploy/ingress/terminating/envoy.yaml', () => {
  it.each(Object.keys(envoyRules))('%s', (name) => {
    envoyRules[name]?.(readEnvoy());
  });

  it('the removal of any protection is noticed', () => {
    expectEveryPlaceHeld(readEnvoy(), envoyRules, envoyExceptions);
  });
});

describe.each<GatewayForm>(['pass-through', 'terminating'])('deploy/ingress/gateway-api/%s.yaml', (form) => {
  const documents = () => parseGateway(readFileSync(`deploy/ingress/gateway-api/${form}.yaml`, 'utf8'));
  const rules = gatewayRules(form);

  it.each(Object.keys(rules))('%s', (name) => {
    rules[name]?.(documents());
  });

  it('the removal of any protection is noticed', () => {
    expectEveryPlaceHeld(documents(), rules, gatewayExceptions);
  });
});

describe('the forms with a password or a one-time code', () => {
  it('are the ones that the application counts, and all of them are limited in front of it', () => {
    const controllers = ['sign-in/sign-in', 'challenge/challenge', 'approvals/approvals', 'consent/consent'];
    const counted = controllers.flatMap((file) => {
      const text = readFileSync(`apps/authorize/src/${file}.controller.ts`, 'utf8');
      const [, area = ''] = /@Controller\((?:'([^']*)')?\)/.exec(text) ?? [];
      const routes = text.matchAll(/@Post\((?:'([^']*)')?\)\s+@UseGuards\(SignInLimitGuard\)/g);
      return [...routes].map(([, route = '']) =>
        ['', area, route].filter((part, at) => at === 0 || part !== '').join('/'),
      );
    });
    expect(counted.sort()).toEqual([...formPaths].sort());
    const nginx = readFileSync('deploy/ingress/terminating/nginx.conf', 'utf8');
    const isForm = new RegExp(/~(\^POST\S+) \$client_network/.exec(nginx)?.[1] ?? 'none');
    for (const path of formPaths) expect(`POST${path}`).toMatch(isForm);
  });
});
