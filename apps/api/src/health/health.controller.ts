import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { BodilessError } from '#libs/error-envelope';
import { Telemetry } from '#libs/telemetry';

/** For load balancers: needs no certificate or token and gives no reasons; the administration port does. */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(private readonly telemetry: Telemetry) {}

  /** The process answers. */
  @Get('live')
  live() {
    return { status: 'ok' };
  }

  /** Whether the process can work: database, schema and keys. */
  @Get('ready')
  async ready() {
    const { isReady, checks } = await this.telemetry.readiness.report();
    if (!isReady) throw new BodilessError(503, `not ready: ${JSON.stringify(checks)}`, { 'retry-after': '5' });
    return { status: 'ok' };
  }
}
