/** Tests every limit from both sides, derived from the schemas. `npm test -- --update` writes limits.txt. */
import { validate } from '@stagedoor/contract/shared/validation.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ROUTES } from '../modules/index.ts';
import { expectCommitted } from './generated-list.ts';

type Shape = z.core.JSONSchema.JSONSchema;
type Step = string | 0;
type Limit = {
  at: Step[];
  fixedFields: FixedFields;
  valueType: 'string' | 'array' | 'number';
  side: 'least' | 'most';
  limit: number;
  step: number;
};
/** By depth: constant fields that identify an option of a union. */
type FixedFields = Readonly<Record<number, Readonly<Record<string, unknown>>>>;

/** Bounds of the number type itself are no limits. */
const isSet = (limit: number | undefined): limit is number =>
  limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;

function* listLimits(
  shape: Shape | boolean | undefined,
  at: Step[] = [],
  inherited: FixedFields = {},
): Generator<Limit> {
  if (typeof shape !== 'object') return;
  const constants = Object.entries(shape.properties ?? {}).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner.const !== undefined ? [[key, inner.const]] : [],
  );
  const fixedFields = constants.length === 0 ? inherited : { ...inherited, [at.length]: Object.fromEntries(constants) };
  for (const option of [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])]) yield* listLimits(option, at, fixedFields);
  const step = shape.type === 'number' ? 0.01 : 1;
  const sides = {
    string: [shape.minLength, shape.maxLength],
    array: [shape.minItems, shape.maxItems],
    number: [shape.minimum, shape.maximum],
  } as const;
  const valueType = shape.type === 'integer' ? 'number' : shape.type;
  if (valueType === 'string' || valueType === 'array' || valueType === 'number')
    for (const [index, limit] of sides[valueType].entries())
      if (isSet(limit)) yield { at, fixedFields, valueType, side: index === 0 ? 'least' : 'most', limit, step };
  for (const [key, inner] of Object.entries(shape.properties ?? {}))
    yield* listLimits(inner, [...at, key], fixedFields);
  if (shape.type === 'array' && !Array.isArray(shape.items)) yield* listLimits(shape.items, [...at, 0], fixedFields);
}

/** A value with only this path and the constant fields of unions. */
function buildValue([first, ...rest]: Step[], value: unknown, fixedFields: FixedFields, depth = 0): unknown {
  if (first === undefined) return value;
  const inner = buildValue(rest, value, fixedFields, depth + 1);
  return first === 0 ? [inner] : { ...fixedFields[depth], [first]: inner };
}

function createSized(valueType: Limit['valueType'], size: number): unknown {
  if (valueType === 'number') return Math.round(size * 100) / 100;
  return valueType === 'string' ? 'a'.repeat(size) : Array.from({ length: size }, () => 'a');
}

function isRefused(schema: z.ZodMiniType, { at, fixedFields, valueType, side }: Limit, size: number): boolean {
  const code = side === 'most' ? 'too_big' : 'too_small';
  const { error } = validate(schema, buildValue(at, createSized(valueType, size), fixedFields));
  const issues = error?.issues ?? [];
  return issues.some((issue) => issue.code === code && issue.path.join('.') === at.join('.'));
}

const PARTS = ['params', 'query', 'body'] as const;
const limited = ROUTES.flatMap(({ route }) =>
  PARTS.flatMap((part) => {
    const schema = route[part];
    if (!schema) return [];
    const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return [...listLimits(shape)].map((limit) => ({
      schema,
      limit,
      location: `${route.method} ${route.path} ${part}`,
    }));
  }),
);

test('the limits of the contract match limits.txt', async () => {
  const lines = limited.map(({ location, limit: { at, valueType, side, limit } }) => {
    const unit =
      valueType === 'number' ? '' : `${valueType === 'string' ? ' character' : ' item'}${limit === 1 ? '' : 's'}`;
    return `${[location, ...at.map((step) => (step === 0 ? '[]' : step))].join('.').replace(/\.\[\]/g, '[]')} at ${side} ${limit}${unit}`;
  });
  expect(lines.length).toBeGreaterThan(100);
  await expectCommitted(new URL('limits.txt', import.meta.url), [...new Set(lines)].sort());
});

test('every limit accepts its bound and refuses one step beyond it', () => {
  const wrong = limited.flatMap(({ schema, limit, location }) => {
    const beyond = limit.limit + (limit.side === 'most' ? limit.step : -limit.step);
    if (beyond < 0 && limit.valueType !== 'number') return [];
    const refusals = [isRefused(schema, limit, limit.limit), isRefused(schema, limit, beyond)];
    return refusals[0] === false && refusals[1] === true
      ? []
      : [`${location} ${limit.at.join('.')} ${limit.side} ${refusals}`];
  });
  expect(wrong).toEqual([]);
});
