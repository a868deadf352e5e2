import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Database } from './database.js';
import { dataSourceOptions, type DatabaseSettings } from './data-source-options.js';

@Module({})
export class PersistenceModule {
  /**
   * Opens the pool of this process and offers {@link Database} and the repositories' data source everywhere.
   * @param settings the database and the size of the pool
   */
  static forRoot(settings: DatabaseSettings): DynamicModule {
    return {
      module: PersistenceModule,
      global: true,
      imports: [TypeOrmModule.forRoot({ ...dataSourceOptions(settings), autoLoadEntities: true, retryAttempts: 3 })],
      providers: [
        { provide: Database, useFactory: (source: DataSource) => new Database(source, settings), inject: [DataSource] },
      ],
      exports: [Database],
    };
  }
}
