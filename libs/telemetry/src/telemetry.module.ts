import { Injectable, Module, type DynamicModule, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database, DatabaseReader, findMissingMigrations } from '#libs/persistence';
import { Telemetry } from './telemetry.js';

/** Adds the database of one application to the process's metrics and readiness. */
@Injectable()
class DatabaseWatch implements OnModuleInit, OnApplicationShutdown {
  #stop: (() => void)[] = [];

  constructor(
    private readonly database: Database,
    private readonly reader: DatabaseReader,
    private readonly telemetry: Telemetry,
  ) {}

  onModuleInit(): void {
    const { applicationName } = this.database;
    this.#stop = [
      this.telemetry.watchPool(applicationName, () => ({
        ...this.database.poolState(),
        isReplicaUsed: this.reader.isReplicaUsed,
      })),
      this.telemetry.readiness.add(`${applicationName} database`, () => this.#checkDatabase(), { isShared: true }),
    ];
  }

  onApplicationShutdown(): void {
    for (const stop of this.#stop) stop();
  }

  /** The database answers, and its schema is not older than this program. */
  async #checkDatabase(): Promise<void> {
    const missing = await findMissingMigrations(this.database);
    if (missing.length === 0) return;
    throw new Error(`the schema lacks ${missing.length} migrations, the first is ${missing[0]}: run the migration job`);
  }
}

@Module({})
export class TelemetryModule {
  /** Provides the process's telemetry in one application, and adds that application's database to it. */
  static forRoot(telemetry: Telemetry): DynamicModule {
    return {
      module: TelemetryModule,
      global: true,
      providers: [{ provide: Telemetry, useValue: telemetry }, DatabaseWatch],
      exports: [Telemetry],
    };
  }
}
