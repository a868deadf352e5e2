export { ApiAnswers, bodiless, bodyTooSlow, commonAnswers, jsonAnswer, pageAnswer, schemaOf } from './answers.js';
export type { Answer, BodyExample } from './answers.js';
export type { AnswerHeader } from './headers.js';
export type { AppDescription } from './app-description.js';
export { describedClass, type Members, textUpTo } from './described-class.js';
export { describeOperation } from './describe-operation.js';
export { exampleAddresses, exampleNames } from './example-addresses.js';
export { interactionId } from './interaction-id.js';
export { jsonAsHtml, oauthErrorAnswer } from './oauth-error-answer.js';
