import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('instruction_lists')
export class InstructionListEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'instruction_lists_pkey' }) consentId!: string;
  @Column({ type: 'text' }) instructions!: string;
  @Column({ type: 'numeric', array: true }) amounts!: string[];
  @Column({ type: 'timestamptz', nullable: true }) erasedAt!: Date | null;
}
