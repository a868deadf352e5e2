import type { Provider, Type } from '@nestjs/common';

/** The metadata keys of Nest for UseGuards and UseFilters. */
const guardsKey = '__guards__';
const filtersKey = '__exceptionFilters__';

/**
 * Empty stand-ins for the dependencies of controllers, guards and filters. Describing routes calls none of them, but
 * Nest must resolve them.
 */
export function standInsFor(controllers: readonly Type[]): Provider[] {
  const helpers = controllers.flatMap((controller) => [controller, ...handlersOf(controller)]).flatMap(helpersOf);
  const wanted = new Set([...controllers, ...helpers].flatMap(dependenciesOf));
  return [...wanted].map((provide) => ({ provide, useValue: undefined }));
}

function handlersOf(controller: Type): object[] {
  const prototype = controller.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => prototype[name] ?? []);
}

function helpersOf(target: object): Type[] {
  return [guardsKey, filtersKey].flatMap((key) => (Reflect.getMetadata(key, target) as Type[] | undefined) ?? []);
}

/** By type, and by the token of `@Inject` where that says otherwise. */
function dependenciesOf(type: Type): Type[] {
  const types = (Reflect.getMetadata('design:paramtypes', type) as Type[] | undefined) ?? [];
  const named = (Reflect.getMetadata('self:paramtypes', type) as { index: number; param: Type }[] | undefined) ?? [];
  return types.map((dependency, index) => named.find((entry) => entry.index === index)?.param ?? dependency);
}
