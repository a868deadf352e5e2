import { Controller, Get, Header } from '@nestjs/common';
import { stylesheet, stylesheetPath } from './stylesheet.js';

/** The one file that the pages load. */
@Controller()
export class StylesheetController {
  @Get(stylesheetPath)
  @Header('content-type', 'text/css; charset=utf-8')
  @Header('cache-control', 'public, max-age=31536000, immutable')
  getStylesheet(): string {
    return stylesheet;
  }
}
