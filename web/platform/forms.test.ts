import { customCredits } from '@stagedoor/contract/commerce/deposits.ts';
import { registration } from '@stagedoor/contract/identity/accounts.ts';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ApiError } from './api-error.ts';
import { serializeCache } from './browser.ts';
import { applyFieldErrors, createContractResolver, validateFields } from './forms.ts';
import { createPageMeta, toExcerpt } from './meta.ts';
import { mergeHandles } from './page.ts';
import { createQueryClient } from './query.ts';

const options = { fields: {}, shouldUseNativeValidation: false } as const;

test('an empty sign-up is refused with the messages of section V', async () => {
  const { errors } = await createContractResolver(registration)(
    { username: '', email: '', password: '', accountType: 'creator' },
    undefined,
    options,
  );
  expect(errors).toMatchObject({
    username: { message: 'Cannot be empty' },
    email: { message: 'Please enter email' },
    password: { message: 'Password must be at least 8 characters long' },
  });
});

test('schema errors without a message of their own get a readable default', () => {
  const schema = z.object({
    name: z.string(),
    city: z.string(),
    count: z.number().check(z.int()),
    many: z.number().check(z.lte(9)),
    code: z.string().check(z.minLength(4)),
    kind: z.enum(['a', 'b']),
  });
  expect(validateFields(schema, { city: 5, count: 1.5, many: 10, code: 'abc', kind: 'c' })).toEqual({
    name: 'This field is required',
    city: 'Enter text',
    count: 'Enter a whole number',
    many: 'At most 9',
    code: 'At least 4 characters',
    kind: 'Choose one of the options',
  });
});

test("submitted values are the schema's output", async () => {
  const schema = z.object({ credits: customCredits });
  const { values, errors } = await createContractResolver(schema)({ credits: ' -30 ' }, undefined, options);
  expect(errors).toEqual({});
  expect(values).toEqual({ credits: 30 });
});

test('validation messages go to their fields, and others are returned', () => {
  const setError = vi.fn();
  const form = { setError, getValues: () => ({ username: '', email: '' }) };
  // The mock does not implement the overloads of getValues. Only the one without arguments is used.
  const apply = (error: unknown) => applyFieldErrors(form as unknown as Parameters<typeof applyFieldErrors>[0], error);
  expect(
    apply(new ApiError('VALIDATION', 'taken', { fields: { 'email.1': 'taken', other: 'x' } })),
    'nothing is swallowed',
  ).toBe('x');
  expect(setError.mock.calls).toEqual([['email', { type: 'server', message: 'taken' }, { shouldFocus: true }]]);
  expect(apply(new ApiError('VALIDATION', 'odd', { fields: { other: 'odd' } }))).toBe('odd');
  expect(apply(new ApiError('RATE_LIMITED', 'slow down'))).toBe('slow down');
  expect(apply(new Error('bug'))).toBeUndefined();
});

test('the serialized cache is safe inside a script element for any user text', () => {
  const client = createQueryClient();
  client.setQueryData(['x'], { bio: '</script><script>alert(1)</script>\u2028<!--' });
  const text = serializeCache(client, 0);
  expect(text).not.toMatch(/[<\u2028]/);
  expect(JSON.parse(text).queries[0].state.data).toEqual({ bio: '</script><script>alert(1)</script>\u2028<!--' });
});

test('page metadata contains title, description, canonical address and image', () => {
  const args = {
    location: { pathname: '/profile/x' },
    matches: [{ id: 'root', loaderData: { origin: 'https://s.example' } }],
  };
  const list = createPageMeta(args, { title: 'Inês', description: 'a  b\nc', image: '/m/1.webp' });
  expect(list).toContainEqual({ title: 'Inês · Stagedoor' });
  expect(list).toContainEqual({ name: 'description', content: 'a b c' });
  expect(list).toContainEqual({ tagName: 'link', rel: 'canonical', href: 'https://s.example/profile/x' });
  expect(list).toContainEqual({ property: 'og:image', content: 'https://s.example/m/1.webp' });
  expect(toExcerpt('word '.repeat(100)).length).toBeLessThanOrEqual(160);
});

test('the innermost route handle wins', () => {
  expect(
    mergeHandles([
      { handle: { width: 'full', hydrate: false } },
      { handle: undefined },
      { handle: { width: 'column' } },
    ]),
  ).toEqual({ width: 'column', hydrate: false });
});
