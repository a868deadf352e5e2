import type { Type } from '@nestjs/common';
import type { WireArea } from '../wire/wire.js';

/** What serves a kind, in whatever version. */
export interface Resources<Area extends WireArea> {
  /** modules of what its services call */
  readonly imports: readonly Type[];
  readonly providers: readonly Type[];
  readonly createControllers: (wire: Area) => Type[];
}
