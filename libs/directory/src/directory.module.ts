import { Module } from '@nestjs/common';
import { KeySets } from './key-sets.service.js';
import { SoftwareStatements } from './software-statements.service.js';

/** The trust framework as this service sees it: keys and software statements. Needs ConfigModule. */
@Module({ providers: [KeySets, SoftwareStatements], exports: [KeySets, SoftwareStatements] })
export class DirectoryModule {}
