import type { Type } from '@nestjs/common';

/** The input of the generator of API documents from an application: the controllers of one address. */
export interface AppDescription {
  /** where the operations are */
  readonly server: 'baseUrl' | 'authUrl' | 'tokenUrl';
  readonly controllers: readonly Type[];
}
