import { type DynamicModule, Module } from '@nestjs/common';
import { DocumentationController } from './documentation.controller.js';
import { type FurtherDocument, FurtherDocuments } from './further-documents.js';

/** Swagger UI and the error catalogue. Needs ConfigModule. */
@Module({ controllers: [DocumentationController] })
export class DocumentationModule {
  static forRoot(further: readonly FurtherDocument[]): DynamicModule {
    return {
      module: DocumentationModule,
      providers: [{ provide: FurtherDocuments, useValue: new FurtherDocuments(further) }],
    };
  }
}
