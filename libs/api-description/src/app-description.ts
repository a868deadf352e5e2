import type { Type } from '@nestjs/common';

/** What an application tells the generator of the API documents: the controllers of one address. */
export interface AppDescription {
  /** where the operations are */
  readonly server: 'baseUrl' | 'authUrl' | 'tokenUrl';
  readonly controllers: readonly Type[];
}
