import { ERRORS, type ErrorCode } from '@stagedoor/contract/atoms/errors.ts';
import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import * as z from 'zod/mini';
import type { NamedRoute } from './room.ts';
import { isHeldByMaintenance, switchesOf } from './switches.ts';

type Json = Record<string, unknown>;

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

function parametersOf(schema: z.ZodMiniType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties, required } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (required ?? []).includes(name),
    schema: property,
  }));
}

function contentOf({ files, response }: RouteSpec): Json {
  if (!files) return { 'application/json': { schema: schemaOf(response, 'output') } };
  return Object.fromEntries(files.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
}

const ALWAYS: ErrorCode[] = ['VALIDATION', 'RATE_LIMITED', 'INTERNAL'];

function operationOf(name: string, room: string, route: RouteSpec): Json {
  const codes = new Set<ErrorCode>([
    ...(route.errors ?? []),
    ...ALWAYS,
    ...(route.auth === 'public' ? [] : (['UNAUTHORIZED', 'account_blocked'] as const)),
    ...(switchesOf(route).length > 0 ? (['STOPPED'] as const) : []),
    ...(isHeldByMaintenance(route) ? (['MAINTENANCE'] as const) : []),
  ]);
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  const parameters = [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')];
  if (route.idempotent)
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Best a UUID: the same key with the same body answers the same, with another body CONFLICT.',
      schema: { type: 'string', maxLength: 200 },
    });
  return {
    operationId: name,
    summary: route.summary,
    tags: [room],
    ...(route.auth === 'public' ? {} : { security: [{ session: [] }], 'x-role': route.auth }),
    parameters,
    ...(route.body || route.multipart
      ? {
          requestBody: {
            content: route.multipart
              ? { 'multipart/form-data': { schema: { type: 'object' } } }
              : { 'application/json': { schema: route.body ? schemaOf(route.body, 'input') : {} } },
          },
        }
      : {}),
    responses: {
      200: { description: 'OK', content: contentOf(route) },
      ...Object.fromEntries(
        [...byStatus].map(([status, list]) => [
          status,
          {
            description: list.join(', '),
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
    },
  };
}

export function openApi(server: string, routes: readonly NamedRoute[]): Json {
  const paths: Record<string, Json> = {};
  for (const { name, room, route } of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(name, room, route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stagedoor',
      version: '0.1.0',
      description:
        'Every call under /api. Amounts are USD with at most two decimals; times ISO 8601 UTC; ids UUIDv7. ' +
        'Messages of a conversation are ordered by `seq`, in lists and in socket events. Neither `createdAt` nor the order of ids need agree with it.',
    },
    servers: [{ url: `${server}/api` }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'sid' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { type: 'string', enum: Object.keys(ERRORS) },
            message: { type: 'string' },
            error: {
              type: 'array',
              items: {
                type: 'object',
                required: ['field', 'message'],
                properties: { field: { type: 'string' }, message: { type: 'string' } },
              },
            },
            href: { type: 'string' },
            proof: { type: 'string' },
            requestId: { type: 'string' },
          },
        },
      },
    },
  };
}
