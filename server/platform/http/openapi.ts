import { ERRORS, type ErrorCode } from '@stagedoor/contract/shared/errors.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { NamedRoute } from '../module.ts';
import { isBlockedByMaintenance, listKillSwitches } from '../site-status.ts';

type Json = Record<string, unknown>;

function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

function toParameters(schema: z.ZodMiniType | undefined, parameterIn: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties, required } = toJsonSchema(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: parameterIn,
    required: parameterIn === 'path' || (required ?? []).includes(name),
    schema: property,
  }));
}

function toContent({ files, response }: RouteSpec): Json {
  if (!files) return { 'application/json': { schema: toJsonSchema(response, 'output') } };
  return Object.fromEntries(files.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
}

const COMMON_ERRORS: ErrorCode[] = ['VALIDATION', 'RATE_LIMITED', 'INTERNAL'];

function toOperation(name: string, module: string, route: RouteSpec): Json {
  const codes = new Set<ErrorCode>([
    ...(route.errors ?? []),
    ...COMMON_ERRORS,
    ...(route.auth === 'public' ? [] : (['UNAUTHORIZED', 'account_blocked'] as const)),
    ...(listKillSwitches(route).length > 0 ? (['FEATURE_DISABLED'] as const) : []),
    ...(isBlockedByMaintenance(route) ? (['MAINTENANCE'] as const) : []),
  ]);
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  const parameters = [...toParameters(route.params, 'path'), ...toParameters(route.query, 'query')];
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
    tags: [module],
    ...(route.auth === 'public' ? {} : { security: [{ session: [] }], 'x-role': route.auth }),
    parameters,
    ...(route.body || route.multipart
      ? {
          requestBody: {
            content: route.multipart
              ? { 'multipart/form-data': { schema: { type: 'object' } } }
              : { 'application/json': { schema: route.body ? toJsonSchema(route.body, 'input') : {} } },
          },
        }
      : {}),
    responses: {
      200: { description: 'OK', content: toContent(route) },
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

export function createOpenApi(serverUrl: string, routes: readonly NamedRoute[]): Json {
  const paths: Record<string, Json> = {};
  for (const { name, module, route } of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(name, module, route) };
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
    servers: [{ url: `${serverUrl}/api` }],
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
            localMessage: {
              type: 'object',
              required: ['text', 'endOf'],
              properties: { text: { type: 'string' }, endOf: { type: 'string', enum: ['day', 'week', 'month'] } },
            },
          },
        },
      },
    },
  };
}
