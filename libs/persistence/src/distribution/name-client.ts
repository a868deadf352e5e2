import { columnOfClient } from './distributed-tables.js';

/** A word, mark or text of a statement. */
interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}
interface Group {
  readonly open: Token;
  readonly items: Item[];
  close: Token | undefined;
}
type Item = Token | Group;

const tokens = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|\$\d+|[A-Za-z_]\w*|::|[^\s]/g;

/** Words that end the list of tables behind FROM. */
const endsTables = new Set(
  'WHERE SELECT GROUP ORDER LIMIT OFFSET FOR UNION RETURNING SET HAVING VALUES WINDOW EXCEPT INTERSECT'.split(' '),
);
/** Words behind the name of a table that are not its alias. */
const noAlias = new Set([
  ...endsTables,
  ...'ON JOIN CROSS LEFT RIGHT INNER FULL NATURAL USING SKIP WITH AND OR DO'.split(' '),
]);

/**
 * Restricts a statement to one client: of every table with clients' rows it reads and changes only this client's, and
 * every new row names it. So a distributed database knows the node before it begins.
 * @param sql one of the service's own statements
 * @returns the statement, which takes the client id as one more parameter, the last
 */
export function nameClient(sql: string): string {
  const parameter = `$${countParameters(sql) + 1}::uuid`;
  const edits = new Edits(parameter, sql.length);
  edits.level(parse(sql), undefined);
  return edits.isUsed ? edits.apply(sql) : sql;
}

/** @returns the highest number of a parameter in the SQL */
export function countParameters(sql: string): number {
  return Math.max(0, ...[...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
}

function parse(sql: string): Item[] {
  const root: Item[] = [];
  const open: Group[] = [];
  for (const { 0: text, index } of sql.matchAll(tokens)) {
    if (text.startsWith('--')) continue;
    const token = { text, start: index, end: index + text.length };
    const items = open.at(-1)?.items ?? root;
    if (text === '(') {
      const group: Group = { open: token, items: [], close: undefined };
      items.push(group);
      open.push(group);
    } else if (text === ')') {
      const group = open.pop();
      if (group) group.close = token;
    } else items.push(token);
  }
  return root;
}

const isGroup = (item: Item | undefined): item is Group => item !== undefined && 'items' in item;
const word = (item: Item | undefined): string => (item === undefined || isGroup(item) ? '' : item.text.toUpperCase());

class Edits {
  readonly #edits: { at: number; text: string }[] = [];

  constructor(
    private readonly parameter: string,
    private readonly length: number,
  ) {}

  get isUsed(): boolean {
    return this.#edits.length > 0;
  }

  /** Texts for the same place stay in their order. */
  apply(sql: string): string {
    let result = '';
    let done = 0;
    for (const { at, text } of [...this.#edits].sort((one, other) => one.at - other.at)) {
      result += sql.slice(done, at) + text;
      done = at;
    }
    return result + sql.slice(done);
  }

  level(items: readonly Item[], around: Group | undefined): void {
    const end = around?.close?.start ?? this.length;
    let inTables = false;
    for (const [index, item] of items.entries()) {
      if (isGroup(item)) {
        this.level(item.items, item);
        continue;
      }
      const before = word(items[index - 1]);
      if (word(item) === 'FROM') inTables = true;
      else if (endsTables.has(word(item))) inTables = false;
      const column = Object.hasOwn(columnOfClient, item.text) ? columnOfClient[item.text] : undefined;
      if (column === undefined || word(items[index + 1]) === '.') continue;
      if (before === 'UPDATE' || (before === 'FROM' && word(items[index - 2]) === 'DELETE')) {
        this.#restrict(items, index, { column, end });
      } else if (before === 'INTO') this.#insert(items, index, column);
      else if (inTables && (before === 'FROM' || before === 'JOIN' || before === 'USING' || before === ',')) {
        this.#read(items, index, column);
      }
    }
  }

  #add(at: number, text: string): void {
    this.#edits.push({ at, text });
  }

  /** @returns the alias of a table, if it has one */
  #aliasOf(items: readonly Item[], index: number): string | undefined {
    const next = items[index + 1];
    if (next === undefined || isGroup(next)) return undefined;
    if (word(next) === 'AS') return (items[index + 2] as Token).text;
    return /^[a-z_]/i.test(next.text) && !noAlias.has(word(next)) ? next.text : undefined;
  }

  #read(items: readonly Item[], index: number, column: string): void {
    const table = items[index] as Token;
    this.#add(table.start, '(SELECT * FROM ');
    const alias = this.#aliasOf(items, index) === undefined ? ` AS ${table.text}` : '';
    this.#add(table.end, ` WHERE ${column} = ${this.parameter})${alias}`);
  }

  /** UPDATE or DELETE */
  #restrict(items: readonly Item[], index: number, { column, end }: { column: string; end: number }): void {
    const table = items[index] as Token;
    const name = this.#aliasOf(items, index) ?? table.text;
    const condition = `${name}.${column} = ${this.parameter}`;
    const rest = items.slice(index);
    const returning = rest.find((item) => word(item) === 'RETURNING') as Token | undefined;
    const where = rest.find((item) => word(item) === 'WHERE') as Token | undefined;
    const until = returning?.start ?? end;
    if (where === undefined || where.start > until) this.#add(until, ` WHERE ${condition} `);
    else {
      this.#add(where.end, ` ${condition} AND (`);
      this.#add(until, ') ');
    }
  }

  #insert(items: readonly Item[], index: number, column: string): void {
    const columns = items.slice(index).find(isGroup);
    if (columns === undefined || columns.items.some((item) => !isGroup(item) && item.text === column)) return;
    this.#add(columns.open.end, `${column}, `);
    let isValue = false;
    for (const item of items.slice(items.indexOf(columns) + 1)) {
      if (word(item) === 'RETURNING') return;
      if (word(item) === 'SELECT') this.#add((item as Token).end, ` ${this.parameter},`);
      if (word(item) === 'VALUES') isValue = true;
      if (word(item) === 'ON' && !isGroup(item)) isValue = false;
      if (isValue && isGroup(item)) this.#add(item.open.end, `${this.parameter}, `);
      // The key of the row begins with its client.
      if (word(items[items.indexOf(item) - 1]) === 'CONFLICT' && isGroup(item)) this.#add(item.open.end, `${column}, `);
    }
  }
}
