/** A command of a shell line: its words, without assignments, redirections and what `$( )` stands for. */
export type SimpleCommand = readonly string[];

const operators = /^(?:&&|\|\||[|;&\n])/;
const redirection = /^\d?(?:>>|>&|<<<|[<>])/;

/**
 * Reads shell text as far as pages use it: quotes, comments, `&&`, `||`, `|`, `;`, `$( )`, redirections, lines that go
 * on.
 * @returns each simple command, those within `$( )` after the one that they stand in
 */
export function readShell(text: string): SimpleCommand[] {
  const commands: string[][] = [[]];
  const inner: string[] = [];
  let rest = text.replace(/\\\n/g, ' ');
  while (rest !== '') {
    const [blank = ''] = /^[ \t]+/.exec(rest) ?? [];
    rest = rest.slice(blank.length);
    if (rest.startsWith('#')) rest = rest.replace(/^[^\n]*/, '');
    const operator = (operators.exec(rest) ?? redirection.exec(rest))?.[0];
    if (operator !== undefined) {
      rest = rest.slice(operator.length);
      // What a redirection leads to is not a word of the command.
      if (redirection.test(operator)) rest = readWord(rest.trimStart(), inner).rest;
      else commands.push([]);
    } else if (rest !== '') {
      const read = readWord(rest, inner);
      commands.at(-1)?.push(read.word);
      rest = read.rest;
    }
  }
  return [
    ...commands.map(withoutAssignments).filter((words) => words.length > 0),
    ...inner.flatMap((each) => readShell(each)),
  ];
}

function withoutAssignments(words: readonly string[]): SimpleCommand {
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  return start === -1 ? [] : words.slice(start);
}

/** @param inner takes the text of each `$( )` of the word */
function readWord(text: string, inner: string[]): { word: string; rest: string } {
  let [word, rest] = ['', text];
  let quote = '';
  while (rest !== '' && (quote !== '' || !/^[\s;|&<>]/.test(rest))) {
    const first = rest.charAt(0);
    if (rest.startsWith('$(') && quote !== "'") {
      const end = endOfSubstitution(rest);
      inner.push(rest.slice(2, end));
      word += 'SUBSTITUTION';
      rest = rest.slice(end + 1);
      continue;
    }
    if (first === quote) quote = '';
    else if (quote === '' && (first === '"' || first === "'")) quote = first;
    else word += first;
    rest = rest.slice(1);
  }
  // A sign that no rule above takes must not be looked at forever.
  return rest === text ? { word: text.charAt(0), rest: text.slice(1) } : { word, rest };
}

function endOfSubstitution(text: string): number {
  let depth = 0;
  for (let index = 1; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1;
    if (text[index] === ')') depth -= 1;
    if (depth === 0) return index;
  }
  return text.length;
}
