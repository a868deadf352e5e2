import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Asset } from '../look/create-look.js';
import { PageRenderer } from './page-renderer.js';

/** The files that the pages load: one style sheet, the bank's logo, and one script on the pages that wait. */
@Controller('assets')
export class AssetsController {
  readonly #assets: ReadonlyMap<string, Asset>;

  constructor(renderer: PageRenderer) {
    this.#assets = new Map(renderer.assets.map((asset) => [asset.path, asset]));
  }

  @Get(':file')
  find(@Param('file') file: string, @Res() reply: FastifyReply): void {
    const asset = this.#assets.get(`/assets/${file}`);
    if (asset === undefined) {
      void reply.status(404).type('text/plain; charset=utf-8').send('');
      return;
    }
    void reply
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        // A logo opened directly is displayed as a picture and runs nothing.
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      })
      .type(asset.type)
      .send(asset.content);
  }
}
