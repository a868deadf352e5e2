import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Database } from '#libs/persistence';
import { dataSourceOptions } from './data-source-options.js';

/** The repositories' data source, over the same connections as {@link Database}. Needs PersistenceModule. */
@Module({})
export class RepositoriesModule {
  static forRoot(): DynamicModule {
    return {
      module: RepositoriesModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Database],
          // Opening the pool has already shown that the database is reachable.
          useFactory: ({ pool }: Database) => ({
            ...dataSourceOptions(pool),
            autoLoadEntities: true,
            retryAttempts: 0,
          }),
        }),
      ],
    };
  }
}
