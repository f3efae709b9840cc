/** Tests every limit from both sides, derived from the schemas. `npm test -- --update` writes limits.txt. */
import { check } from '@stagedoor/contract/atoms/words.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ROUTES } from '../features/index.ts';
import { expectCommitted } from './generated-list.ts';

type Shape = z.core.JSONSchema.JSONSchema;
type Step = string | 0;
type Limit = {
  at: Step[];
  tells: Tells;
  of: 'string' | 'array' | 'number';
  side: 'least' | 'most';
  limit: number;
  step: number;
};
/** By depth: constant fields that identify an option of a union. */
type Tells = Readonly<Record<number, Readonly<Record<string, unknown>>>>;

/** Bounds of the number type itself are no limits. */
const isSaid = (limit: number | undefined): limit is number =>
  limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;

function* limitsOf(shape: Shape | boolean | undefined, at: Step[] = [], told: Tells = {}): Generator<Limit> {
  if (typeof shape !== 'object') return;
  const constants = Object.entries(shape.properties ?? {}).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner.const !== undefined ? [[key, inner.const]] : [],
  );
  const tells = constants.length === 0 ? told : { ...told, [at.length]: Object.fromEntries(constants) };
  for (const option of [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])]) yield* limitsOf(option, at, tells);
  const step = shape.type === 'number' ? 0.01 : 1;
  const sides = {
    string: [shape.minLength, shape.maxLength],
    array: [shape.minItems, shape.maxItems],
    number: [shape.minimum, shape.maximum],
  } as const;
  const of = shape.type === 'integer' ? 'number' : shape.type;
  if (of === 'string' || of === 'array' || of === 'number')
    for (const [index, limit] of sides[of].entries())
      if (isSaid(limit)) yield { at, tells, of, side: index === 0 ? 'least' : 'most', limit, step };
  for (const [key, inner] of Object.entries(shape.properties ?? {})) yield* limitsOf(inner, [...at, key], tells);
  if (shape.type === 'array' && !Array.isArray(shape.items)) yield* limitsOf(shape.items, [...at, 0], tells);
}

/** A value with only this path and the constant fields of unions. */
function holding([first, ...rest]: Step[], value: unknown, tells: Tells, depth = 0): unknown {
  if (first === undefined) return value;
  const inner = holding(rest, value, tells, depth + 1);
  return first === 0 ? [inner] : { ...tells[depth], [first]: inner };
}

function sized(of: Limit['of'], size: number): unknown {
  if (of === 'number') return Math.round(size * 100) / 100;
  return of === 'string' ? 'a'.repeat(size) : Array.from({ length: size }, () => 'a');
}

function isRefused(schema: z.ZodMiniType, { at, tells, of, side }: Limit, size: number): boolean {
  const code = side === 'most' ? 'too_big' : 'too_small';
  const { error } = check(schema, holding(at, sized(of, size), tells));
  const issues = error?.issues ?? [];
  return issues.some((issue) => issue.code === code && issue.path.join('.') === at.join('.'));
}

const PARTS = ['params', 'query', 'body'] as const;
const limited = ROUTES.flatMap(({ route }) =>
  PARTS.flatMap((part) => {
    const schema = route[part];
    if (!schema) return [];
    const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return [...limitsOf(shape)].map((limit) => ({ schema, limit, where: `${route.method} ${route.path} ${part}` }));
  }),
);

test('the limits of the contract match limits.txt', async () => {
  const lines = limited.map(({ where, limit: { at, of, side, limit } }) => {
    const unit = of === 'number' ? '' : `${of === 'string' ? ' character' : ' item'}${limit === 1 ? '' : 's'}`;
    return `${[where, ...at.map((step) => (step === 0 ? '[]' : step))].join('.').replace(/\.\[\]/g, '[]')} at ${side} ${limit}${unit}`;
  });
  expect(lines.length).toBeGreaterThan(100);
  await expectCommitted(new URL('limits.txt', import.meta.url), [...new Set(lines)].sort());
});

test('every limit accepts its bound and refuses one step beyond it', () => {
  const wrong = limited.flatMap(({ schema, limit, where }) => {
    const beyond = limit.limit + (limit.side === 'most' ? limit.step : -limit.step);
    if (beyond < 0 && limit.of !== 'number') return [];
    const found = [isRefused(schema, limit, limit.limit), isRefused(schema, limit, beyond)];
    return found[0] === false && found[1] === true ? [] : [`${where} ${limit.at.join('.')} ${limit.side} ${found}`];
  });
  expect(wrong).toEqual([]);
});
