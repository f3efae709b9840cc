import { check } from '@stagedoor/contract/atoms/words.ts';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ROOMS } from '../features/index.ts';
import { routesOf } from '../kernel/room.ts';

const WRONG = [undefined, null, '', 'x', 'x'.repeat(20_000), 5, -1, 0.005, 1e12, Number.NaN, true, [], {}, ['', 5, {}]];
const TERMS =
  /invalid input|expected|received|too (?:small|big)|unrecognized|must (?:match|start|end)|pattern|undefined|null|NaN|>=|<=|\/\^/i;

test('every validation message of every route is written for users', () => {
  expect(z.safeParse(z.string(), undefined).error?.issues[0]?.message).toMatch(TERMS);
  const said = new Set<string>();
  for (const { route } of routesOf(ROOMS))
    for (const schema of [route.body, route.query, route.params]) {
      if (!schema) continue;
      const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      for (const value of WRONG)
        for (const given of [value, ...Object.keys(properties).map((name) => ({ [name]: value }))])
          for (const { message } of check(schema, given).error?.issues ?? []) said.add(message);
    }
  expect(said.size).toBeGreaterThan(30);
  for (const words of said) {
    expect(words).not.toMatch(TERMS);
    expect(words, 'a sentence begins large').toMatch(/^[A-Z]/);
  }
});
