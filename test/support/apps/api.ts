/** What the API serves, by its areas and versions; takes a while to load. */
export { describeReadWriteAreas } from '../../../apps/api/src/describe-api-app.js';
export { Resource } from '../../../apps/api/src/resources/resource.decorator.js';
export { ResourcesModule } from '../../../apps/api/src/resources/resources.module.js';
export { areas, serve } from '../../../apps/api/src/wire/wires.js';
