import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { shapeOf } from './shape.ts';
import { opened, Written, writerOf } from './written.ts';

const page = z.object({ data: z.array(z.object({ id: z.string() })), limit: z.number(), next: z.optional(z.string()) });
const shape = shapeOf(page);
const write = writerOf(shape);

test('a preserialized page reads like the page of its values', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ id: fc.string() })), fc.option(fc.string(), { nil: undefined }), (items, next) => {
      const plain = { data: items, limit: items.length, next };
      const made = { ...plain, data: items.map((item) => new Written(JSON.stringify(item))) };
      expect(write(made)).toBe(JSON.stringify(shape(plain)));
      expect(write(plain)).toBe(JSON.stringify(shape(plain)));
      expect(shape(opened(made))).toEqual(shape(plain));
    }),
  );
});

test('fields outside of the response schema are removed from a preserialized page', () => {
  const made = { secret: 1, limit: 1, data: [new Written('{"id":"a"}')] };
  expect(write(made)).toBe('{"data":[{"id":"a"}],"limit":1}');
});

test('a list that is not the first field cannot be preserialized', () => {
  const other = writerOf(shapeOf(z.object({ limit: z.number(), data: z.array(z.unknown()) })));
  expect(() => other({ limit: 1, data: [new Written('1')] })).toThrow('begins with its list');
});
