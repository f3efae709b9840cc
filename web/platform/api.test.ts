/** Covers rows A12 and W1. */

import { followCreator } from '@stagedoor/contract/content/follows.ts';
import { login, revokeSession } from '@stagedoor/contract/identity/accounts.ts';
import { expect, test, vi } from 'vitest';
import { type ApiCall, callApi, createBrowserTransport, fillPath, toAbsoluteUrl, toQueryString } from './api.ts';
import { ApiError, toApiError, toFieldMessages } from './api-error.ts';
import { findMessage, toReaction } from './feedback.ts';

const ID = '0199d3a0-0000-7000-8000-000000000001';

test('the base URL is put before paths, and absolute URLs stay unchanged', () => {
  expect(toAbsoluteUrl('/api/x', 'https://api.example/')).toBe('https://api.example/api/x');
  expect(toAbsoluteUrl('/api/x', '')).toBe('/api/x');
  expect(toAbsoluteUrl('https://other.example/x', 'https://api.example')).toBe('https://other.example/x');
  expect(toAbsoluteUrl('HTTP://other.example/x', 'https://api.example')).toBe('HTTP://other.example/x');
});

test('path parameters are escaped, and a missing one throws before anything is sent', () => {
  expect(fillPath('/a/:id/b', { id: 'x/../y?z' })).toBe('/a/x%2F..%2Fy%3Fz/b');
  expect(() => fillPath('/a/:id', {})).toThrow('/a/:id needs id');
  expect(() => fillPath('/a/:id', { id: '' })).toThrow(TypeError);
});

test('a query string leaves out absent values', () => {
  expect(toQueryString({ limit: 10, search: '', sort: undefined, q: 'a b&c' })).toBe('?limit=10&q=a+b%26c');
  expect(toQueryString(undefined)).toBe('');
});

test('a successful call sends JSON with the operation id and resolves to the response body', async () => {
  const calls: ApiCall[] = [];
  const transport = async (call: ApiCall) => {
    calls.push(call);
    return { status: 200, body: { isFollowed: true, totalFollowersCount: 1 } };
  };
  const body = await callApi(
    transport,
    followCreator,
    { params: { id: ID }, body: { isFollowed: true } },
    { operationId: 'op' },
  );
  expect(body).toEqual({ isFollowed: true, totalFollowersCount: 1 });
  expect(calls[0]).toMatchObject({
    method: 'POST',
    path: `/api/customer/follow/${ID}`,
    body: '{"isFollowed":true}',
    headers: { 'idempotency-key': 'op', 'content-type': 'application/json' },
  });
});

test('the content type header is sent only with a body', async () => {
  const calls: ApiCall[] = [];
  await callApi(
    async (call) => {
      calls.push(call);
      return { status: 200, body: { info: '' } };
    },
    revokeSession,
    { params: { id: ID } },
  );
  expect(calls[0]?.headers).not.toHaveProperty('content-type');
  expect(calls[0]?.body).toBeUndefined();
});

test('VALIDATION rejects with the message and the first validation message of each field', async () => {
  const refusal = {
    code: 'VALIDATION',
    message: 'Cannot be empty',
    error: [
      { field: 'username', message: 'Cannot be empty' },
      { field: 'username', message: 'second' },
      { field: 'password', message: 'Please enter password' },
    ],
  };
  const failed = callApi(async () => ({ status: 400, body: refusal }), login, { body: { username: '', password: '' } });
  await expect(failed).rejects.toMatchObject({
    code: 'VALIDATION',
    message: 'Cannot be empty',
    fields: { username: 'Cannot be empty', password: 'Please enter password' },
  });
  expect(toFieldMessages()).toEqual({});
});

test.each([
  [401, undefined, 'UNAUTHORIZED'],
  [404, 'a proxy page', 'NOT_FOUND'],
  [429, {}, 'RATE_LIMITED'],
  [500, { code: 'toString', message: 'x' }, 'INTERNAL'],
  [502, null, 'INTERNAL'],
  [403, { code: 'account_blocked', message: 'x' }, 'account_blocked'],
])('a response %d with %j becomes %s', (status, body, code) => expect(toApiError(status, body).code).toBe(code));

test('error codes map to the right reaction, and hidden errors to none', () => {
  expect(toReaction(new ApiError('UNAUTHORIZED', 'x'), { showErrorMessage: false })).toEqual({ kind: 'unauthorized' });
  expect(toReaction(new ApiError('account_blocked', 'x'), {})).toEqual({ kind: 'blocked' });
  expect(toReaction(new ApiError('CONFLICT', 'Changed.'), {})).toEqual({ kind: 'show', message: 'Changed.' });
  expect(toReaction(new ApiError('CONFLICT', 'Changed.'), { showErrorMessage: false })).toEqual({ kind: 'none' });
  expect(toReaction(new DOMException('aborted', 'AbortError'), {})).toEqual({ kind: 'none' });
});

test('the success message is `message`, else `info`', () => {
  expect(findMessage({ message: 'm', info: 'i' })).toBe('m');
  expect(findMessage({ info: 'i' })).toBe('i');
  expect(findMessage({ info: '' })).toBeUndefined();
  expect(findMessage('text')).toBeUndefined();
});

test('the fetch transport sends cookies and maps no response to NETWORK and invalid JSON to an error', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  const transport = createBrowserTransport('https://api.example');
  const call: ApiCall = { method: 'GET', path: '/api/x', route: '/x', params: {}, query: {}, headers: {} };
  fetched.mockResolvedValueOnce(new Response('{"a":1}'));
  await expect(transport(call)).resolves.toEqual({ status: 200, body: { a: 1 } });
  expect(fetched).toHaveBeenCalledWith('https://api.example/api/x', {
    method: 'GET',
    headers: {},
    credentials: 'include',
  });
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(transport(call)).rejects.toMatchObject({ code: 'NETWORK', status: 0 });
  fetched.mockResolvedValueOnce(new Response('<html>'));
  await expect(transport(call)).resolves.toEqual({ status: 502, body: undefined });
  fetched.mockResolvedValueOnce(new Response(null, { status: 204 }));
  await expect(transport(call)).resolves.toEqual({ status: 204, body: undefined });
});
