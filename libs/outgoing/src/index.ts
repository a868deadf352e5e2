export { AnswerTooLongError, exchange, type OutgoingAnswer } from './exchange.js';
export { createOutgoingAgent } from './create-outgoing-agent.js';
