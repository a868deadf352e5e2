/** What the world takes from the sources, for one import of them all in each worker. */
export { createAuthorizeApp } from '../../../apps/authorize/src/create-authorize-app.js';
export { issueCertificate } from '../../../apps/sandbox/src/trust/issue-certificate.js';
export { DeclineReporter } from '../../../apps/worker/src/decline-reporter.js';
export { AuthorizationSessionService, DeclineNoticeQueue } from '#libs/authorization-session';
export { DeclineReports } from '#libs/bank';
export { Clock, Config } from '#libs/config';
export { parseSigningKeys } from '#libs/jws';
export { openPool } from '#libs/persistence';
export { dataSourceOptions } from '#libs/typeorm';
export { makeInstructionList } from '../../support/make-instruction-list.js';
export { DataSource } from 'typeorm';
