import ts from 'typescript';

const K = ts.SyntaxKind;
const comparison = (put) => ({ kind: 'turned comparison', put });
const turned = new Map([
  [K.LessThanToken, comparison('<=')],
  [K.LessThanEqualsToken, comparison('<')],
  [K.GreaterThanToken, comparison('>=')],
  [K.GreaterThanEqualsToken, comparison('>')],
  [K.EqualsEqualsEqualsToken, comparison('!==')],
  [K.ExclamationEqualsEqualsToken, comparison('===')],
  [K.AmpersandAmpersandToken, { kind: 'swapped && and ||', put: '||' }],
  [K.BarBarToken, { kind: 'swapped && and ||', put: '&&' }],
]);

const isSql = /\b(?:SELECT|UPDATE|INSERT INTO|DELETE FROM|WHERE|FOR EACH ROW)\s|\b(?:IS (?:NOT )?NULL|SKIP LOCKED)\b/;
const term = String.raw`(?:[^()\n\x60]|\((?:[^()\n\x60]|\([^()\n\x60]*\))*\))*?`;
const end = String.raw`(?=\s+(?:AND|OR|ORDER|GROUP|FOR|LIMIT|RETURNING|THEN|ON)\b|\s*(?:\n|\)|\x60|;|$))`;
const opposite = { '=': '<>', '<>': '=', '<=': '<', '>=': '>', '<': '<=', '>': '>=' };
const inSql = [
  ['removed SQL condition', new RegExp(String.raw`\s+AND\s+${term}${end}`, 'g'), () => ''],
  ['removed SQL condition', new RegExp(String.raw`(?<=\bWHERE\s+)${term}\s+AND\s+`, 'g'), () => ''],
  ['removed lock', /\s+(?:FOR (?:NO KEY )?UPDATE(?: OF \w+)?(?: SKIP LOCKED)?|SKIP LOCKED)\b/g, () => ''],
  ['turned SQL', /\bIS (?:NOT )?NULL\b/g, (text) => (text.includes('NOT') ? 'IS NULL' : 'IS NOT NULL')],
  ['turned SQL', /\bNOT (?=EXISTS|IN\b|\()/g, () => ''],
  ['turned SQL', / (?:<>|<=|>=|<|>|=) /g, (text) => ` ${opposite[text.trim()]} `],
  ['turned SQL', /\b(?:greatest|least)\(/g, (text) => (text.startsWith('g') ? 'least(' : 'greatest(')],
  ['turned SQL', / (?:AND|OR) /g, (text) => (text === ' OR ' ? ' AND ' : ' OR ')],
];
const isPage = /^apps\/authorize\/src\/(?:pages|wording|approvals|consent|challenge|sign-in)\/(?!cy\b)/;
const inPages = [
  ['emptied page', /(?<=\b(?:action|href|name|value|method|type|for|id)=")[^"\n]+(?=")/g, () => ''],
  ['emptied page', /<%[=~][^%]+%>/g, () => ''],
];

/**
 * @param {string} path from the root of the repository
 * @param {string} text its content
 * @returns {{ kind: string, path: string, start: number, removed: string, put: string }[]} all of a file, in its order
 */
export function findMutations(path, text) {
  const found = [];
  const lineOf = (start) => /.*/.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1))[0].trim();
  const add = (kind, start, finish, put) =>
    found.push({ kind, path, line: lineOf(start), start, removed: text.slice(start, finish), put });
  const match = (rules, from, to) => {
    for (const [kind, pattern, change] of rules) {
      for (const { 0: removed, index } of text.slice(from, to).matchAll(pattern))
        add(kind, from + index, from + index + removed.length, change(removed));
    }
  };
  if (path.endsWith('.sql')) match(inSql, 0, text.length);
  else visitAll(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), path, { add, match });
  return found;
}

function visitAll(source, path, { add, match }) {
  const isRemovable = (node) =>
    ts.isExpressionStatement(node) && !node.getText(source).startsWith('super') && ts.isBlock(node.parent);
  const visit = (node) => {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)) return;
    if (ts.isDecorator(node) || ts.isTypeNode(node)) return;
    const [start, finish] = [node.getStart(source), node.end];
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = node.expression ?? node.condition;
      add('negated condition', condition.getStart(source), condition.end, `!(${condition.getText(source)})`);
      if (ts.isIfStatement(node) && !node.elseStatement && ts.isBlock(node.parent))
        add('dropped statement', start, finish, '');
    } else if (ts.isBinaryExpression(node)) {
      const { kind, put } = turned.get(node.operatorToken.kind) ?? {};
      if (kind) add(kind, node.operatorToken.getStart(source), node.operatorToken.end, put);
    } else if (isRemovable(node)) {
      if (ts.isAwaitExpression(node.expression)) add('removed await', start, start + 'await '.length, 'void ');
      add('dropped statement', start, finish, '');
    } else if (ts.isNumericLiteral(node) && !ts.isEnumMember(node.parent)) {
      add('changed constant', start, finish, String(Number(node.text.replaceAll('_', '')) + 1));
    } else if (node.kind === K.TrueKeyword || node.kind === K.FalseKeyword) {
      add('changed constant', start, finish, String(node.kind === K.FalseKeyword));
    } else if (ts.isArrayLiteralExpression(node) && node.elements.length > 1) {
      node.elements.forEach((each, index) => {
        const next = node.elements[index + 1];
        if (next) add('dropped entry', each.getStart(source), next.getStart(source), '');
        else add('dropped entry', node.elements[index - 1].end, each.end, '');
      });
    } else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = node.getText(source);
      if (isSql.test(text)) match(inSql, start, finish);
      else if (isPage.test(path) && /<[%/a-z]/.test(text)) match(inPages, start, finish);
      else if (
        isPage.test(path) &&
        text.length > 2 &&
        ts.isPropertyAssignment(node.parent) &&
        node.parent.initializer === node
      )
        add('emptied page', start, finish, "''");
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
