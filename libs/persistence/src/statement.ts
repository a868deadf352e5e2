/** A statement whose parameters have names. */
export interface Statement<Values> {
  readonly name: string;
  readonly sql: string;
  /**
   * @returns what `query` of a StatementRunner takes; undefined is NULL, an object is JSON
   * @throws TypeError if a value is missing
   */
  with(values: Values): [name: string, sql: string, parameters: unknown[]];
}

/**
 * @param name unique per SQL text
 * @param first values that are the first parameters: by their numbers a distributed database finds the client
 * @returns the tag of SQL in which `:value` stands for a value
 */
export function statement<Values extends object>(name: string, first: readonly (keyof Values & string)[] = []) {
  return (texts: TemplateStringsArray, ...parts: readonly (string | number)[]): Statement<Values> => {
    const names = new Set<string>(first);
    const numberOf = (value: string): number => [...names.add(value)].indexOf(value) + 1;
    const sql = String.raw({ raw: texts }, ...parts).replaceAll(
      /(?<![:\w]):([a-z]\w*)/gi,
      (_all, value: string) => `$${numberOf(value)}`,
    );
    const valueOf = (values: Values, value: string): unknown => {
      if (!(value in values)) throw new TypeError(`The statement ${name} needs ${value}.`);
      return values[value as keyof Values];
    };
    return { name, sql, with: (values) => [name, sql, [...names].map((value) => valueOf(values, value))] };
  };
}
