/**
 * Writes the words of the schema (a state, a kind, that a text is not empty) into the statements that Kysely makes, where any other value is
 * a parameter. With one plan for all values (db.ts) PostgreSQL takes a partial index, `where state = 'open'`, only for a statement that says
 * so itself.
 */
import {
  type BinaryOperationNode,
  ColumnNode,
  OperatorNode,
  PostgresDialect,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type QueryCompiler,
  ReferenceNode,
  ValueNode,
} from 'kysely';

/** Columns of a few words each, which partial indexes name. */
const COLUMNS = new Set(['state', 'status', 'kind', 'act', 'rail', 'comparison', 'outcome']);
const UNLIKE = new Set(['!=', '<>']);
const OPERATORS = new Set(['=', ...UNLIKE, 'in', 'not in']);
/** What needs no quoting whatever the database's settings: anything else stays a parameter. */
const WORD = /^[A-Za-z]{1,40}$/;

const isWord = (value: unknown): value is string => typeof value === 'string' && WORD.test(value);

/** What is compared with such a column, as SQL; undefined for any other comparison. */
function wordsOf({ leftOperand, operator, rightOperand }: BinaryOperationNode): string | undefined {
  if (!ReferenceNode.is(leftOperand) || !ColumnNode.is(leftOperand.column)) return undefined;
  if (!OperatorNode.is(operator)) return undefined;
  if (UNLIKE.has(operator.operator) && ValueNode.is(rightOperand) && rightOperand.value === '') return `''`;
  if (!COLUMNS.has(leftOperand.column.column.name) || !OPERATORS.has(operator.operator)) return undefined;
  if (ValueNode.is(rightOperand)) return isWord(rightOperand.value) ? `'${rightOperand.value}'` : undefined;
  if (!PrimitiveValueListNode.is(rightOperand)) return undefined;
  const { values } = rightOperand;
  return values.length > 0 && values.every(isWord) ? `(${values.map((word) => `'${word}'`).join(', ')})` : undefined;
}

class Compiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const words = wordsOf(node);
    if (words === undefined) {
      super.visitBinaryOperation(node);
      return;
    }
    this.visitNode(node.leftOperand);
    this.append(' ');
    this.visitNode(node.operator);
    this.append(` ${words}`);
  }
}

export class Dialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new Compiler();
  }
}
