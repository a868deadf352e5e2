import { type LoggerService } from '@nestjs/common';
import { pino, type Logger as PinoLogger } from 'pino';
import { LogDestination } from './log-destination.js';

/**
 * Everything that must never be logged, declared once. Bodies and headers are not logged at all; these names catch
 * mistakes.
 */
const redacted = [
  'authorization',
  'client_assertion',
  'client_secret',
  'clientSecret',
  'code',
  'cookie',
  'password',
  'oneTimeCode',
  'access_token',
  'id_token',
  'software_statement',
  'request',
  'body',
  'content',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/**
 * @param log.level lowest level that is written
 * @param log.file to append to; default: standard output
 * @param telemetry counts the lines that are dropped because the destination takes none
 */
export function createLogger(
  log: { level: string; file?: string },
  telemetry: { droppedLogLines: number },
): PinoLogger {
  return pino(
    { level: log.level, messageKey: 'message', redact: { paths: redacted, censor: '[redacted]' } },
    new LogDestination(log.file, () => (telemetry.droppedLogLines += 1)),
  );
}

/** Nest's own messages through the same JSON log. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: PinoLogger) {}

  log(message: unknown, ...details: unknown[]): void {
    // Nest reports each module and route at start, which operators do not need.
    this.#write('debug', message, details);
  }
  fatal(message: unknown, ...details: unknown[]): void {
    this.#write('fatal', message, details);
  }
  error(message: unknown, ...details: unknown[]): void {
    this.#write('error', message, details);
  }
  warn(message: unknown, ...details: unknown[]): void {
    this.#write('warn', message, details);
  }
  debug(message: unknown, ...details: unknown[]): void {
    this.#write('debug', message, details);
  }
  verbose(message: unknown, ...details: unknown[]): void {
    this.#write('trace', message, details);
  }

  #write(level: 'fatal' | 'error' | 'warn' | 'debug' | 'trace', message: unknown, details: unknown[]): void {
    const context = details.at(-1);
    if (typeof message === 'object' && message !== null) {
      const error: unknown = Reflect.get(message, 'error');
      this.logger[level]({ ...message, ...(error instanceof Error ? { error: describeError(error) } : {}), context });
    } else {
      const detail = details.slice(0, -1).flatMap((each) => (each === undefined ? [] : [String(each)]));
      this.logger[level]({ context, ...(detail.length > 0 ? { detail } : {}) }, String(message));
    }
  }
}

/**
 * The parts of an error that may be logged: type, message, stack and causes, but never the values that a driver
 * attaches.
 */
function describeError(error: Error, depth = 0): Record<string, unknown> {
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause instanceof Error && depth < 4 ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
}
