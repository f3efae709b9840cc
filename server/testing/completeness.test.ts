import { globSync } from 'node:fs';
import { ERRORS } from '@stagedoor/contract/shared/errors.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { EVENTS, MODULES_IN_ORDER, ROUTES } from '../modules/index.ts';
import { defineModule, listModuleEvents, listModuleRoutes } from '../platform/module.ts';
import { createTestApp, type TestApp } from './app.ts';
import { findSampleError } from './samples.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const toRouteName = ({ method, path }: RouteSpec) => `${method} ${path}`;

test('exactly the routes of the contract are bound', () => {
  const bound = [...app.app.bound.keys()].map(toRouteName).sort();
  expect(bound).toEqual(ROUTES.map(({ route }) => toRouteName(route)).sort());
  expect(new Set(bound).size).toBe(bound.length);
});

test('every contract file with routes or events is in exactly one manifest', async () => {
  const contract = new URL('../../contract/', import.meta.url);
  for (const file of globSync('*/*.ts', { cwd: contract, exclude: ['*/*.test.ts', 'node_modules/**'] })) {
    const contractModule: object = await import(new URL(file, contract).href);
    const alone = [defineModule({ name: 'alone', contract: [contractModule] })];
    const isOffered = listModuleRoutes(alone).length + listModuleEvents(alone).length > 0;
    const holders = MODULES_IN_ORDER.filter((featureModule) => featureModule.contract.includes(contractModule)).map(
      ({ name }) => name,
    );
    const hint = isOffered ? 'add it to contract in the manifest.ts of one module' : 'no manifest.ts needs it';
    expect(holders, `contract/${file}: ${hint}`).toHaveLength(isOffered ? 1 : 0);
  }
});

test('the OpenAPI document describes private files, with an optional tblType', async () => {
  const document = (await app.inject('GET', '/api/openapi.json')).json();
  const { get } = document.paths['/asset/private'];
  expect(get.parameters.map(({ name, required }: { name: string; required: boolean }) => [name, required])).toEqual([
    ['fileKey', true],
    ['tblType', false],
  ]);
  expect(Object.keys(get.responses['200'].content)).toContain('image/*');
});

test('development routes are not bound if SMTP is configured', async () => {
  const sending = await createTestApp({ env: { SMTP_URL: 'smtp://localhost:2525' } });
  const missing = ROUTES.filter(({ route }) => app.app.bound.has(route) && !sending.app.bound.has(route));
  await sending.close();
  expect(missing.map(({ module: featureModule }) => featureModule)).toEqual(['dev-mailbox']);
});

test('every path parameter is in the route’s schema', () => {
  for (const { route } of ROUTES) {
    const named = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name).sort();
    const schema: Record<string, unknown> = route.params ? Object(z.toJSONSchema(route.params).properties) : {};
    expect(Object.keys(schema).sort(), toRouteName(route)).toEqual(named);
  }
});

test('GET routes change nothing, and every route has a suitable rate class', () => {
  for (const { route } of ROUTES) {
    if (route.method === 'GET')
      expect(route.body ?? route.idempotent ?? route.multipart, toRouteName(route)).toBeUndefined();
    if (route.auth === 'public' && route.method !== 'GET') expect(['sensitive', 'write']).toContain(route.rate);
    if (route.rate === 'money') expect(route.idempotent, toRouteName(route)).toBe(true);
    expect(route.rate, `${toRouteName(route)} has no rate`).toBeDefined();
    expect(route.summary).not.toBe('');
  }
});

test('every route has a sample request for the hostile matrix that the route accepts', () => {
  expect(ROUTES.flatMap(({ name, route }) => findSampleError(name, route) ?? [])).toEqual([]);
});

test('every error has a status and a message', () => {
  for (const [code, { status, message }] of Object.entries(ERRORS)) {
    expect(status, code).toBeGreaterThanOrEqual(400);
    expect(status, code).toBeLessThan(600);
    expect(message, code).toMatch(/^[A-Z].*\.$/);
  }
});

test('every event has a unique name and an audience', () => {
  const names = EVENTS.map(({ event }) => event.name);
  expect(new Set(names).size).toBe(names.length);
  for (const { event } of EVENTS) expect(['user', 'public', 'watching']).toContain(event.audience);
});

type Json = { [key: string]: unknown };
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

function* walk(value: unknown): Generator<Json> {
  if (!isJson(value)) return;
  yield value;
  for (const inner of Object.values(value)) yield* walk(inner);
}

test('the OpenAPI document describes the order of messages', async () => {
  const document = (await app.inject('GET', '/api/openapi.json')).json();
  expect(document.info.description).toContain('ordered by `seq`');
  const list = document.paths['/message/list/{id}'].get;
  expect(list.summary).toContain('ordered by `seq`');
  const message = list.responses[200].content['application/json'].schema.properties.data.items;
  expect(message.properties.seq.description).toContain('Defines the message order');
});

test('the OpenAPI document names every route once, and its references resolve', async () => {
  const response = await app.inject('GET', '/api/openapi.json');
  expect(response.statusCode).toBe(200);
  const document: { openapi: string; paths: Record<string, Record<string, Json>> } & Json = response.json();
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(
    ROUTES.map(({ name }) => name).sort(),
  );
  for (const { path, operation } of operations) {
    const parameters = Array.isArray(operation.parameters) ? operation.parameters : [];
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name);
    expect(inPath.sort()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort());
    for (const parameter of parameters) expect(parameter.schema, path).toBeTypeOf('object');
    expect(Object(operation.responses)).toHaveProperty('200.content');
    expect(operation.summary).toBeTypeOf('string');
  }
  for (const { $ref } of walk(document)) {
    if (typeof $ref !== 'string') continue;
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((inner, key) => (isJson(inner) ? inner[key] : undefined), document);
    expect(target, $ref).toBeTypeOf('object');
  }
});
