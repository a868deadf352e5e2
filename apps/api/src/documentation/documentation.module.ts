import { Module } from '@nestjs/common';
import { DocumentationController } from './documentation.controller.js';

/** Swagger UI and the error catalogue. Needs ConfigModule. */
@Module({ controllers: [DocumentationController] })
export class DocumentationModule {}
