import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { BodilessError } from '#libs/error-envelope';
import { Telemetry } from '#libs/telemetry';

/** For load balancers: no certificate, no token, and no reasons; those are on the administration port. */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  readonly #telemetry: Telemetry;

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry;
  }

  /** The process answers. */
  @Get('live')
  live() {
    return { status: 'ok' };
  }

  /** The process can do its work: database, schema and keys are right. */
  @Get('ready')
  async ready() {
    const { isReady, checks } = await this.#telemetry.readiness.report();
    if (!isReady) throw new BodilessError(503, `not ready: ${JSON.stringify(checks)}`, { 'retry-after': '5' });
    return { status: 'ok' };
  }
}
