/** The environment of the program; tests provide their own. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  out: (text: string) => void;
  err: (text: string) => void;
  /** where progress bars are drawn; undefined without a terminal */
  terminal?: NodeJS.WritableStream | undefined;
  /** asks the user for a line; undefined without a terminal */
  ask: ((question: string) => Promise<string>) | undefined;
  now: () => Date;
}
