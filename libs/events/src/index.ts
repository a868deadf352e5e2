export type { DomainEvent } from './domain-event.js';
export { EventOutbox } from './event-outbox.js';
export { EventsModule } from './events.module.js';
export { HttpsEventWebhook } from './https-event-webhook.js';
