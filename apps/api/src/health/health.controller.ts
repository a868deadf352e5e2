import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { BodilessError } from '#libs/error-envelope';
import { Database } from '#libs/persistence';

/** For load balancers: no certificate, no token. */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The process answers. */
  @Get('live')
  live() {
    return { status: 'ok' };
  }

  /** The process can do its work: the database answers. */
  @Get('ready')
  async ready() {
    try {
      await this.#database.query('health', 'SELECT 1', []);
    } catch (error) {
      throw new BodilessError(503, `database: ${String(error)}`, { 'retry-after': '5' });
    }
    return { status: 'ok' };
  }
}
