/**
 * Finds the database access of a TypeScript file: SQL in strings and templates, and tables that are passed to Kysely.
 */
import ts from 'typescript';
import { HOLE, type Touch, touchesOf } from './sql.ts';

const READS = new Set(
  'selectFrom from using innerJoin leftJoin rightJoin fullJoin crossJoin innerJoinLateral leftJoinLateral'.split(' '),
);
const WRITES = new Set('insertInto updateTable deleteFrom mergeInto replaceInto'.split(' '));

export type Said = Omit<Touch, 'at'> & { readonly line: number };

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => ` ${HOLE} ${literal.text}`).join('');
}

function namesIn(argument: ts.Node | undefined): string[] {
  if (argument === undefined) return [];
  if (ts.isStringLiteralLike(argument)) return [argument.text.trim().split(/\s/)[0] ?? ''];
  return ts.isArrayLiteralExpression(argument) ? argument.elements.flatMap(namesIn) : [];
}

/** All database access of a file, by line. Names that are concatenated at run time are not found. */
export function saidBy(path: string, code: string): Said[] {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const lineOf = (node: ts.Node) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  const found: Said[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const method = node.expression.name;
      const how = READS.has(method.text) ? 'reads' : WRITES.has(method.text) ? 'writes' : undefined;
      if (how) for (const name of namesIn(node.arguments[0])) found.push({ how, name, line: lineOf(method) });
    }
    const text = textOf(node);
    if (text !== undefined)
      for (const { how, name, at } of touchesOf(text))
        found.push({ how, name, line: lineOf(node) + text.slice(0, at).split('\n').length - 1 });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
