import { Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '#libs/config';
import { type CataloguedError, errorCatalogue, errorPagesPath } from '#libs/error-catalogue';
import { FurtherDocuments, listDocuments, loadApiDocuments, writeFurther } from './api-documents.js';
import { errorStatuses, renderErrorEntry, renderErrorList, renderStatus, renderUnknownError } from './error-pages.js';
import { createSwaggerContent, type Page, renderPage, swaggerStylesheets } from './page.js';
import { type Asset, findAsset } from './swagger-assets.js';

/** The documentation: public, without a client certificate. It loads nothing from other servers. */
@ApiExcludeController()
@Controller()
export class DocumentationController {
  readonly #bankName: string;
  readonly #catalogue: ReadonlyMap<string, CataloguedError>;
  readonly #documents: ReadonlyMap<string, Asset>;
  readonly #swaggerContent: Page['content'];

  constructor(config: Config, { all: further }: FurtherDocuments) {
    this.#bankName = config.bank.name;
    this.#catalogue = new Map(errorCatalogue(config.bank.errorNamespace).map((error) => [error.code, error]));
    const listed = listDocuments(config);
    this.#documents = new Map([...loadApiDocuments(listed, config), ...writeFurther(further)]);
    this.#swaggerContent = createSwaggerContent([...listed, ...further]);
  }

  /** A browser at the bare address gets the documentation. */
  @Get()
  lead(@Res() reply: FastifyReply): void {
    void reply
      .status(302)
      .headers({ ...documentationHeaders, location: '/docs' })
      .send();
  }

  @Get('docs')
  readReference(@Res() reply: FastifyReply): void {
    const title = 'API reference';
    this.#send(reply, 200, { title, content: this.#swaggerContent, stylesheets: swaggerStylesheets, isWide: true });
  }

  @Get('docs/assets/:name')
  readAsset(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendAsset(request, reply, findAsset(name));
  }

  @Get('docs/openapi/:name')
  readDocument(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    void reply.header('access-control-allow-origin', '*');
    sendAsset(request, reply, this.#documents.get(name));
  }

  @Get(errorPagesPath)
  listErrors(@Res() reply: FastifyReply): void {
    this.#send(reply, 200, { title: 'Errors', content: renderErrorList([...this.#catalogue.values()]) });
  }

  @Get(`${errorPagesPath}/:code`)
  readError(@Param('code') code: string, @Res() reply: FastifyReply): void {
    if (errorStatuses.includes(code)) {
      this.#send(reply, 200, { title: `Status ${code}`, content: renderStatus(code, [...this.#catalogue.values()]) });
      return;
    }
    const error = this.#catalogue.get(code);
    if (error === undefined) this.#send(reply, 404, { title: 'Unknown error code', content: renderUnknownError() });
    else this.#send(reply, 200, { title: error.code, content: renderErrorEntry(error) });
  }

  #send(reply: FastifyReply, status: number, page: Omit<Page, 'bankName'>): void {
    const text = renderPage({ ...page, bankName: this.#bankName });
    void reply.status(status).headers(documentationHeaders).type('text/html; charset=utf-8').send(Buffer.from(text));
  }
}

/** @throws NotFoundException if there is no such file */
function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset | undefined): void {
  if (asset === undefined) throw new NotFoundException();
  const isZipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  void reply
    .headers({ ...documentationHeaders, vary: 'accept-encoding', ...(isZipped && { 'content-encoding': 'gzip' }) })
    .type(asset.mediaType)
    .send(isZipped ? asset.gzipped : asset.content);
}

/** The hash of the only style attribute that Swagger UI writes. */
const swaggerStyle = "'unsafe-hashes' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='";

const documentationHeaders = {
  'cache-control': 'public, max-age=300',
  'content-security-policy':
    `default-src 'none'; script-src 'self'; style-src 'self' ${swaggerStyle}; img-src 'self' data:; connect-src ` +
    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};
