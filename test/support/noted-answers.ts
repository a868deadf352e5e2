/** Stands for what a service calls: answers as told, and notes each call with its last argument. */
export function notedAnswers() {
  const log: [name: string, given: unknown][] = [];
  /** Creates a function that returns the result, or fails with it if it is an error. */
  const answer =
    <Value>(name: string, result?: Value) =>
    (...given: unknown[]) => {
      log.push([name, given.at(-1)]);
      return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
    };
  return { log, answer };
}
