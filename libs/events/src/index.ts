export { consentRecords } from './consent-records-sql.js';
export type { DomainEvent } from './domain-event.js';
export { EventOutbox } from './event-outbox.js';
export { HttpsEventWebhook, mostDeliveries } from './https-event-webhook.js';
export { noteEventsOf } from './note-events-sql.js';
export { eventSettings } from './events.settings.js';
