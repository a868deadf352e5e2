import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '#libs/config';
import { DirectoryModule, KeySets } from '#libs/directory';
import { BearerTokenGuard, ClientKeyLookup, GuardsModule, JwsSignatureGuard } from '#libs/guards';
import { TokenStoreModule } from '#libs/token-store';
import { type ServedArea, servedAreas } from '../wire/wires.js';

/** The Read/Write API in every served version; binds the guards' ports to the token store and the directory. */
@Module({
  imports: [GuardsModule, TokenStoreModule, DirectoryModule],
  providers: [{ provide: ClientKeyLookup, useExisting: KeySets }, BearerTokenGuard, JwsSignatureGuard],
})
export class ResourcesModule {
  /** @param areas of the served versions; tests add their own */
  static forRoot(config: Config, areas: readonly ServedArea[] = servedAreas(config)): DynamicModule {
    return {
      module: ResourcesModule,
      imports: unique(areas.flatMap(({ imports }) => imports)),
      providers: unique(areas.flatMap(({ providers }) => providers)),
      controllers: areas.flatMap(({ createControllers }) => createControllers()),
    };
  }
}

const unique = <Each>(list: readonly Each[]): Each[] => [...new Set(list)];
