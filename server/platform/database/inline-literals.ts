/**
 * Inlines status values and empty texts into Kysely's statements, because with a generic plan PostgreSQL uses a partial
 * index such as `where state = 'open'` only if the statement itself contains this condition.
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

const INLINED_COLUMNS = new Set(['state', 'status', 'kind', 'action', 'rail', 'comparison', 'outcome']);
const NOT_EQUAL = new Set(['!=', '<>']);
const OPERATORS = new Set(['=', ...NOT_EQUAL, 'in', 'not in']);
/** Needs no quoting under any database setting. Anything else stays a parameter. */
const LITERAL = /^[A-Za-z]{1,40}$/;

const isLiteral = (value: unknown): value is string => typeof value === 'string' && LITERAL.test(value);

function findLiteral({ leftOperand, operator, rightOperand }: BinaryOperationNode): string | undefined {
  if (!ReferenceNode.is(leftOperand) || !ColumnNode.is(leftOperand.column)) return undefined;
  if (!OperatorNode.is(operator)) return undefined;
  if (NOT_EQUAL.has(operator.operator) && ValueNode.is(rightOperand) && rightOperand.value === '') return `''`;
  if (!INLINED_COLUMNS.has(leftOperand.column.column.name) || !OPERATORS.has(operator.operator)) return undefined;
  if (ValueNode.is(rightOperand)) return isLiteral(rightOperand.value) ? `'${rightOperand.value}'` : undefined;
  if (!PrimitiveValueListNode.is(rightOperand)) return undefined;
  const { values } = rightOperand;
  return values.length > 0 && values.every(isLiteral) ? `(${values.map((word) => `'${word}'`).join(', ')})` : undefined;
}

class InlineLiteralCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const literal = findLiteral(node);
    if (literal === undefined) {
      super.visitBinaryOperation(node);
      return;
    }
    this.visitNode(node.leftOperand);
    this.append(' ');
    this.visitNode(node.operator);
    this.append(` ${literal}`);
  }
}

export class InlineLiteralDialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new InlineLiteralCompiler();
  }
}
