import { Entity, PrimaryColumn } from 'typeorm';

@Entity('works')
export class WorkEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'works_pkey' }) name!: string;
}
