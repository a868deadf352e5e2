import { Module } from '@nestjs/common';
import { EventOutbox } from './event-outbox.js';
import { HttpsEventWebhook } from './https-event-webhook.js';

/** Needs the global ConfigModule and PersistenceModule. */
@Module({ providers: [EventOutbox, HttpsEventWebhook], exports: [EventOutbox, HttpsEventWebhook] })
export class EventsModule {}
