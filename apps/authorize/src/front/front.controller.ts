import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '#libs/config';
import { discoveryAddress } from '#libs/http-server';
import { sendAnswer } from '../pages/answer.js';
import { PageRenderer } from '../pages/page-renderer.js';

/** The bare address says whose it is, and that journeys start elsewhere. */
@Controller()
export class FrontController {
  readonly #address: string;

  constructor(
    config: Config,
    private readonly renderer: PageRenderer,
  ) {
    this.#address = discoveryAddress(config);
  }

  @Get()
  show(@Req() { interactionId: reference }: FastifyRequest, @Res() reply: FastifyReply): void {
    const page = this.renderer.render('front', () => ({ reference, discoveryAddress: this.#address }));
    sendAnswer(reply, { kind: 'page', status: 200, page });
  }
}
