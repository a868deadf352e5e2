/**
 * The checked configuration of a process: the values that it takes. Each lib declares its members beside its settings
 * (`*.settings.ts`). To read a value that the process does not take is a fault of the program, and throws.
 */
export class Config {
  /** whether this process reads a setting, set or not */
  readonly reads!: (setting: string) => boolean;
  /** settings that weaken the security profile */
  readonly weakenings!: readonly string[];
  /** variables that look like settings but are not, each with the setting that may be meant */
  readonly unknownVariables!: readonly string[];

  constructor(values: Readonly<Config>) {
    Object.assign(this, values);
  }
}
