import type { Type } from '@nestjs/common';
import type { WireArea } from '../wire/wire.js';

/** The controllers and modules of a kind, for all versions. */
export interface Resources<Area extends WireArea> {
  /** modules that its services need */
  readonly imports: readonly Type[];
  readonly providers: readonly Type[];
  readonly createControllers: (wire: Area) => Type[];
}
