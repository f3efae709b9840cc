import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { toSerializer } from './response-serializer.ts';

type SchemaCase = { schema: z.ZodMiniType; value: fc.Arbitrary<unknown> };

const toJson = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

const plain: fc.Arbitrary<SchemaCase> = fc.constantFrom<SchemaCase>(
  { schema: z.string(), value: fc.string() },
  { schema: z.number(), value: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { schema: z.boolean(), value: fc.boolean() },
  { schema: z.literal('a'), value: fc.constant('a') },
  { schema: z.enum(['a', 'b']), value: fc.constantFrom('a', 'b') },
  { schema: z.string().check(z.trim()), value: fc.string() },
  { schema: z.union([z.string(), z.number()]), value: fc.oneof(fc.string(), fc.integer()) },
  {
    schema: z.record(z.string(), z.object({ a: z.number() })),
    value: fc.dictionary(fc.string(), fc.constant({ a: 1, b: 2 })),
  },
  { schema: z._default(z.string(), 'x'), value: fc.option(fc.string(), { nil: undefined }) },
  { schema: z.uuid(), value: fc.uuid() },
);

const { schemaCases } = fc.letrec<{ schemaCases: SchemaCase }>((tie) => ({
  schemaCases: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    plain,
    tie('schemaCases').map(
      ({ schema, value }): SchemaCase => ({ schema: z.array(schema), value: fc.array(value, { maxLength: 3 }) }),
    ),
    tie('schemaCases').map(
      ({ schema, value }): SchemaCase => ({ schema: z.nullable(schema), value: fc.option(value) }),
    ),
    fc
      .dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.tuple(tie('schemaCases'), fc.boolean()))
      .map((fields): SchemaCase => {
        const shape: Record<string, z.ZodMiniType> = {};
        const values: Record<string, fc.Arbitrary<unknown>> = { unnamed: fc.constant({ secret: 1 }) };
        for (const [name, [field, isOptional]] of Object.entries(fields)) {
          shape[name] = isOptional ? z.optional(field.schema) : field.schema;
          values[name] = isOptional ? fc.option(field.value, { nil: undefined }) : field.value;
        }
        return { schema: z.object(shape), value: fc.record(values) };
      }),
    fc.tuple(tie('schemaCases'), tie('schemaCases')).map(
      ([yes, no]): SchemaCase => ({
        schema: z.discriminatedUnion('is', [
          z.object({ is: z.literal(true), yes: yes.schema }),
          z.object({ is: z.literal(false), no: no.schema }),
        ]),
        value: fc.oneof(
          fc.record({ is: fc.constant(true), yes: yes.value, no: fc.constant('unnamed') }),
          fc.record({ is: fc.constant(false), no: no.value, yes: fc.constant('unnamed') }),
        ),
      }),
    ),
  ),
}));

test('serializing returns what `z.parse` returns for any schema', () => {
  const cases = schemaCases.chain(({ schema, value }) => value.map((input) => ({ schema, input })));
  fc.assert(
    fc.property(cases, ({ schema, input }) => {
      expect(toJson(toSerializer(schema)(input))).toBe(toJson(z.parse(schema, input)));
    }),
    { numRuns: 500 },
  );
});

test('an unknown option of a union is removed', () => {
  const serialize = toSerializer(z.discriminatedUnion('kind', [z.object({ kind: z.literal('a'), a: z.string() })]));
  expect(serialize({ kind: 'b', secret: 'x' })).toBeUndefined();
  expect(serialize({ kind: 'a', a: '1', secret: 'x' })).toEqual({ kind: 'a', a: '1' });
});

test('a schema that accepts unknown keys is left to `z.parse`', () => {
  expect(() => toSerializer(z.looseObject({ a: z.string() }))({ a: 1 })).toThrow();
  expect(toSerializer(z.looseObject({ a: z.string() }))({ a: '1', b: 2 })).toEqual({ a: '1', b: 2 });
});
