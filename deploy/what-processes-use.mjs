// Finds out, from the code alone, which named statements each process can come to use: whatever its main.ts reaches. The
// grants of the database follow from them.
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '..');

/** The processes, and their programs. */
export const programs = {
  authorize: 'apps/authorize/src/main.ts',
  token: 'apps/token/src/main.ts',
  api: 'apps/api/src/main.ts',
  worker: 'apps/worker/src/main.ts',
  operator: 'apps/operator/src/main.ts',
};

/** Called by Nest and others by their names, once there is an object of the class. */
const calledByOthers = new Set([
  'onModuleInit',
  'onApplicationBootstrap',
  'onModuleDestroy',
  'beforeApplicationShutdown',
  'onApplicationShutdown',
  'canActivate',
  'intercept',
  'catch',
  'transform',
]);

/** @returns by process what it uses: names of statements and tables of entities */
export function findWhatProcessesUse() {
  found ??= findAll();
  return found;
}

let found;

function findAll() {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config,
    ts.sys,
    root,
  );
  const program = ts.createProgram(
    Object.values(programs).map((path) => join(root, path)),
    withSources(options),
  );
  return Object.fromEntries(
    Object.entries(programs).map(([name, path]) => {
      const reach = new Reach(program);
      reach.start(program.getSourceFile(join(root, path)));
      const [statements, tables] = [reach.statements, reach.tables].map((each) => [...each].sort());
      return [name, { statements, tables }];
    }),
  );
}

/** The libraries as they are in this folder, not as they were compiled. */
function withSources(options) {
  return {
    ...options,
    noEmit: true,
    incremental: false,
    paths: { '#libs/*': ['./libs/*/src/index.ts'] },
    baseUrl: root,
  };
}

const pathOf = (node) => relative(root, node.getSourceFile().fileName);
const isOurs = (node) =>
  !node.getSourceFile().fileName.includes('node_modules') && !node.getSourceFile().isDeclarationFile;

/**
 * What can be reached from one program. A class counts once its name is used as a value, a method once somebody calls
 * it.
 */
class Reach {
  statements = new Set();
  /** of entities, which are read without a named statement */
  tables = new Set();
  #checker;
  #units = new Set();
  #todo = [];
  #classes = new Set();
  /** members that are called on interfaces and abstract classes, by name and declaration */
  #ports = new Map();
  /** functions that a field holds, by its declaration: they run once somebody uses the field */
  #held = new Map();
  #usedFields = new Set();

  constructor(program) {
    this.#checker = program.getTypeChecker();
  }

  start(file) {
    this.#add(file);
    for (let unit = this.#todo.pop(); unit !== undefined; unit = this.#todo.pop()) this.#visitUnit(unit);
  }

  #add(unit) {
    if (this.#units.has(unit)) return;
    this.#units.add(unit);
    this.#todo.push(unit);
  }

  #visitUnit(unit) {
    if (ts.isSourceFile(unit)) {
      for (const statement of unit.statements) if (!isDeclarationOnly(statement)) this.#walk(statement);
    } else if (ts.isClassDeclaration(unit)) this.#visitClass(unit);
    else if (ts.isPropertyDeclaration(unit)) {
      if (unit.initializer) this.#walkInto(unit, unit.initializer);
    } else ts.forEachChild(unit, (child) => this.#walk(child));
  }

  /**
   * Decorators, what it extends, its fields and its constructor; of its methods those that others call by their names.
   */
  #visitClass(unit) {
    this.#classes.add(unit);
    for (const decorator of ts.getDecorators(unit) ?? []) {
      this.#walk(decorator);
      const [, table] = /^@Entity\('(\w+)'\)$/.exec(decorator.getText()) ?? [];
      if (table !== undefined) this.tables.add(table);
    }
    const others = new Set(calledByOthers);
    for (const clause of unit.heritageClauses ?? []) {
      for (const { expression } of clause.types) {
        const type = this.#checker.getTypeAtLocation(expression);
        if (clause.token === ts.SyntaxKind.ExtendsKeyword) this.#walk(expression);
        const declaration = type.symbol?.declarations?.[0];
        if (declaration && !isOurs(declaration)) for (const { name } of type.getProperties()) others.add(name);
      }
    }
    for (const member of unit.members) {
      if (!isCallable(member) || this.#isCalledAnyway(member, others)) this.#add(member);
      for (const port of this.#ports.get(member.name?.getText()) ?? []) this.#addWhereItFits(member, port);
    }
  }

  #isCalledAnyway(member, others) {
    if (ts.isConstructorDeclaration(member) || ts.isClassStaticBlockDeclaration(member)) return true;
    return others.has(member.name?.getText()) || (ts.getDecorators(member) ?? []).length > 0;
  }

  /**
   * A member of an interface, of a type or of an abstract class is called: whatever has it, in a class that fits, may
   * be meant.
   */
  #callPort(name, port) {
    const ports = this.#ports.get(name) ?? new Set();
    if (ports.has(port)) return;
    this.#ports.set(name, ports.add(port));
    for (const unit of this.#classes) {
      for (const member of unit.members) if (member.name?.getText() === name) this.#addWhereItFits(member, port);
    }
  }

  #addWhereItFits(member, port) {
    if (!isCallable(member)) return;
    const [own, wanted] = [member.parent, port.parent].map((node) => this.#checker.getTypeAtLocation(node));
    const isGeneric = (port.parent.typeParameters ?? []).length > 0;
    // A generic type fits a class that names it.
    const fits = isGeneric
      ? this.#isNamedBy(member.parent, port.parent)
      : this.#checker.isTypeAssignableTo(own, wanted);
    if (fits) this.#add(member);
  }

  #isNamedBy(unit, declaration) {
    const types = (unit.heritageClauses ?? []).flatMap((clause) => clause.types);
    return types.some((type) => this.#checker.getTypeAtLocation(type).symbol?.declarations?.includes(declaration));
  }

  #walk(node) {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)) return;
    if (
      ts.isBinaryExpression(node) &&
      isFieldOfThis(node.left) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken
    ) {
      this.#walkInto(this.#checker.getSymbolAtLocation(node.left.name)?.valueDeclaration, node.right);
      return;
    }
    if (ts.isCallExpression(node)) {
      this.#noteStatement(node);
      this.#noteMadeStatement(node);
    }
    if (ts.isTaggedTemplateExpression(node)) this.#noteStatementValue(node);
    if (ts.isBindingElement(node)) this.#noteBinding(node);
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) this.#noteName(node);
    ts.forEachChild(node, (child) => this.#walk(child));
  }

  /** Functions in what a field is given wait until somebody uses the field; all else is done at once. */
  #walkInto(field, value) {
    if ((ts.isArrowFunction(value) || ts.isFunctionExpression(value)) && field && !this.#usedFields.has(field)) {
      this.#held.set(field, [...(this.#held.get(field) ?? []), value]);
      return;
    }
    if (ts.isFunctionLike(value) || ts.isIdentifier(value) || value.getChildCount() === 0) this.#walk(value);
    else this.#walkShallow(field, value);
  }

  #walkShallow(field, value) {
    if (ts.isTypeNode(value)) return;
    if (ts.isCallExpression(value)) this.#noteStatement(value);
    ts.forEachChild(value, (child) => this.#walkInto(field, child));
  }

  #noteField(declaration) {
    this.#usedFields.add(declaration);
    for (const value of this.#held.get(declaration) ?? []) this.#walk(value);
    this.#held.delete(declaration);
  }

  #noteStatement({ expression, arguments: [name, ...rest] }) {
    if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'query' || rest.length !== 2) return;
    this.statements.add(ts.isStringLiteral(name) ? name.text : `computed in ${pathOf(expression)}`);
  }

  /** The value of a statement is tagged with its name: `statement('name')`. */
  #noteStatementValue({ tag }) {
    const [name] = ts.isCallExpression(tag) ? tag.arguments : [];
    if (name !== undefined && ts.isStringLiteral(name)) this.statements.add(name.text);
  }

  /** The value of a statement that a function of ours makes under a name: `ending('name', …)`. */
  #noteMadeStatement(node) {
    const [name] = node.arguments;
    if (name === undefined || !ts.isStringLiteral(name)) return;
    const type = this.#checker.getTypeAtLocation(node);
    if (['name', 'sql', 'with'].every((member) => type.getProperty(member))) this.statements.add(name.text);
  }

  /** `{ name } = value`, `{ name: other } = value` and the same of parameters. */
  #noteBinding(element) {
    if (!ts.isObjectBindingPattern(element.parent)) return;
    const name = (element.propertyName ?? element.name).getText();
    const type = this.#checker.getTypeAtLocation(element.parent);
    const symbol = type.getProperty(name);
    if (symbol !== undefined) this.#noteSymbol(symbol, element);
  }

  #noteName(node) {
    let symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.#checker.getSymbolAtLocation(node);
    if (symbol === undefined) return;
    if (symbol.flags & ts.SymbolFlags.Alias) symbol = this.#checker.getAliasedSymbol(symbol);
    this.#noteSymbol(symbol);
  }

  #noteSymbol(symbol) {
    for (const declaration of symbol.declarations ?? []) {
      if (!isOurs(declaration)) continue;
      this.#noteDeclaration(declaration, symbol.name);
    }
  }

  #noteDeclaration(declaration, name) {
    if (ts.isClassDeclaration(declaration) || ts.isFunctionDeclaration(declaration)) this.#add(declaration);
    else if (ts.isVariableDeclaration(declaration) && isTopLevel(declaration)) this.#add(declaration);
    else if (ts.isMethodSignature(declaration) || ts.isPropertySignature(declaration))
      this.#callPort(name, declaration);
    else if (ts.isPropertyDeclaration(declaration)) this.#noteField(declaration);
    else if (isCallable(declaration)) {
      if (declaration.body === undefined || ts.isClassDeclaration(declaration.parent)) this.#add(declaration);
      // A subclass may have its own method.
      if (declaration.body === undefined) this.#callPort(name, declaration);
    }
  }
}

const isFieldOfThis = (node) =>
  ts.isPropertyAccessExpression(node) && node.expression.kind === ts.SyntaxKind.ThisKeyword;

const isCallable = (node) =>
  ts.isMethodDeclaration(node) || ts.isGetAccessor(node) || ts.isSetAccessor(node) || ts.isConstructorDeclaration(node);

function isTopLevel(declaration) {
  return ts.isSourceFile(declaration.parent.parent?.parent ?? declaration);
}

function isDeclarationOnly(statement) {
  return (
    ts.isImportDeclaration(statement) ||
    ts.isExportDeclaration(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  );
}
