/**
 * How the tests' TypeScript becomes JavaScript: as nest-cli.json has it, and for debuggers.
 * @param {'typescript' | 'ecmascript'} syntax
 * @param {'es6' | 'commonjs'} type the kind of module that it becomes
 */
export const swcOptions = (syntax, type) => ({
  swcrc: false,
  sourceMaps: 'inline',
  module: { type },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax, decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
});
