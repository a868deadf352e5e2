/** A form of SQL that a distributed PostgreSQL refuses, or takes and does something else. */
export interface RefusedForm {
  readonly name: string;
  /** @returns whether the statement has it */
  readonly isIn: (sql: string) => boolean;
}

/**
 * A statement level by level: of each pair of parentheses what stands in it, with `()` for each pair in there. So a
 * word belongs to the clause in which it is.
 */
export function levelsOf(sql: string): string[] {
  const levels: string[] = [];
  const open: string[] = [''];
  for (const character of sql.replaceAll(/--[^\n]*/g, '')) {
    if (character === '(') open.push('');
    else if (character === ')' && open.length > 1) {
      levels.push(open.pop() ?? '');
      open.push(`${open.pop() ?? ''}()`);
    } else open.push((open.pop() ?? '') + character);
  }
  return [...levels, ...open];
}

const anyLevel = (sql: string, form: RegExp): boolean => levelsOf(sql).some((level) => form.test(level));

/** Everything in parentheses, as it is, that stands behind a word. */
function inParenthesesBehind(sql: string, word: RegExp): string[] {
  return [...sql.matchAll(word)].map(({ index, 0: found }) => {
    const start = index + found.length;
    let depth = 0;
    for (let end = start; end < sql.length; end += 1) {
      if (sql[end] === '(') depth += 1;
      if (sql[end] === ')') depth -= 1;
      if (depth === 0) return sql.slice(start + 1, end);
    }
    return sql.slice(start);
  });
}

/** Tables with a copy on every node: a look-up in them needs no distribution key. */
const copied = /FROM (?:clients|payment_stops|works)\b/;

/** What no statement may have; measured with Citus 13.2. */
export const refusedForms: readonly RefusedForm[] = [
  // It holds for one connection, and triggers run on others.
  { name: 'set_config', isIn: (sql) => /\bset_config\b/i.test(sql) },
  { name: 'ctid', isIn: (sql) => /\bctid\b/i.test(sql) },
  {
    name: 'a parameter in RETURNING of an upsert',
    isIn: (sql) => anyLevel(sql, /\bON\s+CONFLICT\b[\s\S]*\bDO\s+UPDATE\b[\s\S]*\bRETURNING\b[^;]*\$\d/i),
  },
  {
    name: 'a query in ON CONFLICT ... WHERE',
    isIn: (sql) => inParenthesesInUpserts(sql).some((inner) => /\bSELECT\b/i.test(inner)),
  },
  // A day has 23 hours once a year: such a sum is STABLE. Parameters alone are added up before the statement goes out.
  {
    name: 'timestamptz + interval * column',
    isIn: (sql) =>
      /\binterval\s+'[^']*'\s*\*/i.test(sql) ||
      (/\*\s*interval\b/i.test(sql) && !/\$\d+(::\w+)?\s*\*\s*interval\b/i.test(sql)),
  },
  {
    name: 'column + interval',
    isIn: (sql) => /(?<![:\w$.])[a-z_]+(?:\.[a-z_]+)?\s*[+-]\s*(?:\$\d+(?:::\w+)?\s*\*\s*)?interval\b/i.test(sql),
  },
  {
    name: 'FOR UPDATE of a join',
    isIn: (sql) => anyLevel(sql, /\bFROM\b[\s\S]*\bJOIN\b[\s\S]*\bFOR\s+(?:NO\s+KEY\s+)?UPDATE\b/i),
  },
  // Citus ends with a signal, and takes all connections with it.
  {
    name: 'an element of an array as a new value',
    isIn: (sql) => anyLevel(sql, /\bSET\b(?:(?!\b(?:FROM|WHERE|RETURNING)\b)[\s\S])*=\s*(?:[\w.$]|\(\))+\[[^\]]/i),
  },
  { name: 'a lock of the session', isIn: (sql) => /\bpg_(?:try_)?advisory_(?:lock|unlock)/i.test(sql) },
  { name: 'an advisory lock', isIn: (sql) => /\bpg_(?:try_)?advisory_xact_lock/i.test(sql) },
  {
    name: 'LATERAL with a limit and no client',
    isIn: (sql) =>
      inParenthesesBehind(sql, /\bLATERAL\s+(?=\()/gi).some(
        (inner) =>
          /\b(?:LIMIT|OFFSET)\b/i.test(inner) && !copied.test(inner) && !/\bclient_id\s*=|\bissuer\s*=/i.test(inner),
      ),
  },
];

/** @returns what stands in parentheses between ON CONFLICT ... WHERE and the end of its statement */
function inParenthesesInUpserts(sql: string): string[] {
  return [...sql.matchAll(/\bON\s+CONFLICT\b[\s\S]*?(?=\bRETURNING\b|$)/gi)].flatMap(({ 0: rest }) => {
    const upsert = untilClosed(rest);
    const condition = upsert.indexOf('WHERE');
    return condition < 0 ? [] : inParenthesesBehind(upsert.slice(condition), /(?=\()/g);
  });
}

/** @returns the text up to the parenthesis that closes one before it */
function untilClosed(text: string): string {
  let depth = 0;
  for (let end = 0; end < text.length; end += 1) {
    if (text[end] === '(') depth += 1;
    if (text[end] === ')') depth -= 1;
    if (depth < 0) return text.slice(0, end);
  }
  return text;
}

/** @returns triggers of a migration that are for rows and for TRUNCATE at once */
export function mixedTriggersIn(source: string): string[] {
  return [...source.matchAll(/CREATE (?:OR REPLACE )?TRIGGER (\w+)\s+\w+ ([^$;`]*?)\s+ON\b/g)]
    .filter(([, , events = '']) => /TRUNCATE/.test(events) && /UPDATE|DELETE|INSERT/.test(events))
    .map(([, name = '']) => name);
}
