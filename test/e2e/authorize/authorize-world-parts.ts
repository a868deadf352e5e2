/** What the world takes from the sources, for one import of them all in each worker. */
export { createAuthorizeApp } from '../../support/apps/service.js';
export { aCertificate } from '../../support/certificates.js';
export { DeclineReporter } from '../../support/apps/worker.js';
export { DeclineNoticeQueue } from '#libs/customer-session';
export { DeclineReports } from '#libs/bank';
export { Clock, Config } from '#libs/config';
export { parseSigningKeys } from '#libs/jws';
export { openPool } from '#libs/persistence';
export { dataSourceOptions } from '#libs/typeorm';
export { makeInstructionList } from '../../support/make-instruction-list.js';
export { DataSource } from 'typeorm';
