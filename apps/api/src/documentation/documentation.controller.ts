import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Config } from '#libs/config';
import { type CataloguedError, errorCatalogue, errorPagesPath } from '#libs/error-catalogue';
import { renderErrorEntry, renderErrorList, renderUnknownError } from './error-pages.js';
import type { Html } from './html.js';
import { renderPage } from './page.js';
import { stylesheet } from './stylesheet.js';

/** The documentation: open to everybody, without a certificate. Nothing in it comes from another server. */
@ApiExcludeController()
@Controller()
export class DocumentationController {
  readonly #bankName: string;
  readonly #catalogue: ReadonlyMap<string, CataloguedError>;

  constructor(config: Config) {
    this.#bankName = config.bank.name;
    this.#catalogue = new Map(errorCatalogue(config.bank.errorNamespace).map((error) => [error.code, error]));
  }

  @Get('docs/assets/docs.css')
  readStylesheet(@Res() reply: FastifyReply): void {
    void reply.headers(pageHeaders).type('text/css; charset=utf-8').send(Buffer.from(stylesheet));
  }

  @Get(errorPagesPath)
  listErrors(@Res() reply: FastifyReply): void {
    this.#send(reply, 200, 'Errors', renderErrorList([...this.#catalogue.values()]));
  }

  @Get(`${errorPagesPath}/:code`)
  readError(@Param('code') code: string, @Res() reply: FastifyReply): void {
    const error = this.#catalogue.get(code);
    if (error === undefined) this.#send(reply, 404, 'Unknown error code', renderUnknownError());
    else this.#send(reply, 200, error.code, renderErrorEntry(error));
  }

  #send(reply: FastifyReply, status: number, title: string, content: Html): void {
    const page = renderPage({ title, bankName: this.#bankName, content });
    void reply.status(status).headers(pageHeaders).type('text/html; charset=utf-8').send(Buffer.from(page));
  }
}

const pageHeaders = {
  'cache-control': 'public, max-age=300',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};
