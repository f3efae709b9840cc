/**
 * Inlines status values and empty texts into Kysely's statements, because with a generic plan PostgreSQL uses a partial
 * index such as `where state = 'open'` only if the statement itself says so.
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

const COLUMNS = new Set(['state', 'status', 'kind', 'act', 'rail', 'comparison', 'outcome']);
const UNLIKE = new Set(['!=', '<>']);
const OPERATORS = new Set(['=', ...UNLIKE, 'in', 'not in']);
/** Needs no quoting under any database setting. Anything else stays a parameter. */
const WORD = /^[A-Za-z]{1,40}$/;

const isWord = (value: unknown): value is string => typeof value === 'string' && WORD.test(value);

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
