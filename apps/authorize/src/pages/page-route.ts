import {
  applyDecorators,
  createParamDecorator,
  Get,
  Injectable,
  Post,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { parsePageForm, parsePageLoad, parsePageRequest, queryValue } from '../psu-session/page-request.js';
import { prepareAnswer, prepareText, type Answer } from './answer.js';

/** Sends what a handler returns: a page, a redirect, or a word for a page's script. */
@Injectable()
class AnswerSender implements NestInterceptor<Answer | string, Buffer | string | undefined> {
  intercept(context: ExecutionContext, next: CallHandler<Answer | string>): Observable<Buffer | string | undefined> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next
      .handle()
      .pipe(map((answer) => (typeof answer === 'string' ? prepareText(reply, answer) : prepareAnswer(reply, answer))));
  }
}

/** GET of a page, and HEAD, which Fastify answers by the same handler. */
export const GetPage = (path?: string): MethodDecorator => applyDecorators(Get(path), UseInterceptors(AnswerSender));

/** POST of a page's form. */
export const PostForm = (path?: string): MethodDecorator => applyDecorators(Post(path), UseInterceptors(AnswerSender));

const requestOf = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest<FastifyRequest>();

/** The address of a page, read. */
export const Address = createParamDecorator((_: undefined, context: ExecutionContext) =>
  parsePageRequest(requestOf(context)),
);

/** How a page that may wait was requested. */
export const Load = createParamDecorator((_: undefined, context: ExecutionContext) =>
  parsePageLoad(requestOf(context)),
);

/** Values of the address, by their names. */
export const Query = createParamDecorator((names: readonly string[], context: ExecutionContext) =>
  Object.fromEntries(names.map((name) => [name, queryValue(requestOf(context), name)])),
);

/** A page's form, read; it has the usual bounds if no others are given. */
export const Form = createParamDecorator((bounds: Parameters<typeof parsePageForm>[1], context: ExecutionContext) =>
  parsePageForm(requestOf(context), bounds),
);
