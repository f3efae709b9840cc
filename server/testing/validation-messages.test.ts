import { validate } from '@stagedoor/contract/shared/validation.ts';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { MODULES_IN_ORDER } from '../modules/index.ts';
import { listModuleRoutes } from '../platform/module.ts';

const WRONG = [undefined, null, '', 'x', 'x'.repeat(20_000), 5, -1, 0.005, 1e12, Number.NaN, true, [], {}, ['', 5, {}]];
const TERMS =
  /invalid input|expected|received|too (?:small|big)|unrecognized|must (?:match|start|end)|pattern|undefined|null|NaN|>=|<=|\/\^/i;

test('every validation message of every route is written for users', () => {
  expect(z.safeParse(z.string(), undefined).error?.issues[0]?.message).toMatch(TERMS);
  const messages = new Set<string>();
  for (const { route } of listModuleRoutes(MODULES_IN_ORDER))
    for (const schema of [route.body, route.query, route.params]) {
      if (!schema) continue;
      const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      for (const value of WRONG)
        for (const input of [value, ...Object.keys(properties).map((name) => ({ [name]: value }))])
          for (const { message } of validate(schema, input).error?.issues ?? []) messages.add(message);
    }
  expect(messages.size).toBeGreaterThan(30);
  for (const message of messages) {
    expect(message).not.toMatch(TERMS);
    expect(message, 'a sentence begins large').toMatch(/^[A-Z]/);
  }
});
