/**
 * Finds the database access of a TypeScript file: SQL in strings and templates, and tables that are passed to Kysely.
 */
import ts from 'typescript';
import { listSqlAccesses, SQL_PLACEHOLDER, type SqlAccess } from './sql.ts';

const READS = new Set(
  'selectFrom from using innerJoin leftJoin rightJoin fullJoin crossJoin innerJoinLateral leftJoinLateral'.split(' '),
);
const WRITES = new Set('insertInto updateTable deleteFrom mergeInto replaceInto'.split(' '));

export type FileAccess = Omit<SqlAccess, 'at'> & { readonly line: number };

function getSqlText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => ` ${SQL_PLACEHOLDER} ${literal.text}`).join('');
}

function listTableNames(argument: ts.Node | undefined): string[] {
  if (argument === undefined) return [];
  if (ts.isStringLiteralLike(argument)) return [argument.text.trim().split(/\s/)[0] ?? ''];
  return ts.isArrayLiteralExpression(argument) ? argument.elements.flatMap(listTableNames) : [];
}

/** All database access of a file, by line. Names that are concatenated at run time are not found. */
export function listFileAccesses(path: string, code: string): FileAccess[] {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const getLine = (node: ts.Node) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  const accesses: FileAccess[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const method = node.expression.name;
      const how = READS.has(method.text) ? 'reads' : WRITES.has(method.text) ? 'writes' : undefined;
      if (how)
        for (const name of listTableNames(node.arguments[0])) accesses.push({ how, name, line: getLine(method) });
    }
    const text = getSqlText(node);
    if (text !== undefined)
      for (const { how, name, at } of listSqlAccesses(text))
        accesses.push({ how, name, line: getLine(node) + text.slice(0, at).split('\n').length - 1 });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return accesses;
}
