import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createPageSerializer, Preserialized, parsePreserialized } from './preserialized.ts';
import { toSerializer } from './response-serializer.ts';

const page = z.object({ data: z.array(z.object({ id: z.string() })), limit: z.number(), next: z.optional(z.string()) });
const serialize = toSerializer(page);
const serializePage = createPageSerializer(serialize);

test('a preserialized page reads like the page of its values', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ id: fc.string() })), fc.option(fc.string(), { nil: undefined }), (items, next) => {
      const plain = { data: items, limit: items.length, next };
      const preserialized = { ...plain, data: items.map((item) => new Preserialized(JSON.stringify(item))) };
      expect(serializePage(preserialized)).toBe(JSON.stringify(serialize(plain)));
      expect(serializePage(plain)).toBe(JSON.stringify(serialize(plain)));
      expect(serialize(parsePreserialized(preserialized))).toEqual(serialize(plain));
    }),
  );
});

test('fields outside of the response schema are removed from a preserialized page', () => {
  const preserialized = { secret: 1, limit: 1, data: [new Preserialized('{"id":"a"}')] };
  expect(serializePage(preserialized)).toBe('{"data":[{"id":"a"}],"limit":1}');
});

test('a list that is not the first field cannot be preserialized', () => {
  const other = createPageSerializer(toSerializer(z.object({ limit: z.number(), data: z.array(z.unknown()) })));
  expect(() => other({ limit: 1, data: [new Preserialized('1')] })).toThrow('begins with its list');
});
