/**
 * Response serializers that remove fields the schema does not name. They do not validate, because that costs as much as
 * the database query.
 */
import * as z from 'zod/mini';

export type Serializer = (value: unknown) => unknown;

const keepAsIs: Serializer = (value) => value;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function toObjectSerializer(schema: z.ZodMiniObject): Serializer {
  const fields = Object.entries(schema.def.shape).map(
    ([name, field]) => [name, toSerializer(field), hasDefault(field)] as const,
  );
  return (value) => {
    if (!isRecord(value)) return value;
    const serialized: Record<string, unknown> = {};
    for (const [name, serialize, isDefaulted] of fields) {
      const field = value[name];
      if (field !== undefined || isDefaulted) serialized[name] = serialize === keepAsIs ? field : serialize(field);
    }
    return serialized;
  };
}

function hasDefault(schema: z.core.$ZodType): boolean {
  const { success, data } = z.safeParse(schema, undefined);
  return success && data !== undefined;
}

function toUnionSerializer({ _zod: { def } }: z.ZodMiniDiscriminatedUnion): Serializer | undefined {
  const { discriminator } = def;
  const byValue = new Map<unknown, Serializer>();
  for (const option of def.options) {
    const tag = option instanceof z.ZodMiniObject ? option.def.shape[discriminator] : undefined;
    if (!(tag instanceof z.ZodMiniLiteral)) return undefined;
    for (const value of tag.def.values) byValue.set(value, toSerializer(option));
  }
  return (value) => (isRecord(value) ? byValue.get(value[discriminator])?.(value) : value);
}

function isPrimitive(schema: z.core.$ZodType): boolean {
  return (
    schema instanceof z.ZodMiniString ||
    schema instanceof z.ZodMiniNumber ||
    schema instanceof z.ZodMiniBoolean ||
    schema instanceof z.ZodMiniLiteral ||
    schema instanceof z.ZodMiniEnum ||
    schema instanceof z.ZodMiniNull
  );
}

function isTransforming({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.checks?.some((check) => check._zod.def.check === 'overwrite') ?? false;
}

/**
 * Returns a function with the result of `z.parse` but without validation. Schemas other than objects, arrays, unions
 * and primitives still use `z.parse` and may throw.
 */
export function toSerializer(schema: z.core.$ZodType): Serializer {
  const parse: Serializer = (value) => z.parse(schema, value);
  if (isTransforming(schema) || hasDefault(schema)) return parse;
  if (isPrimitive(schema)) return keepAsIs;
  if (schema instanceof z.ZodMiniObject) return schema.def.catchall ? parse : toObjectSerializer(schema);
  if (schema instanceof z.ZodMiniArray) {
    const serialize = toSerializer(schema.def.element);
    return serialize === keepAsIs ? keepAsIs : (value) => (Array.isArray(value) ? value.map(serialize) : value);
  }
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
    const serialize = toSerializer(schema.def.innerType);
    return serialize === keepAsIs
      ? keepAsIs
      : (value) => (value === undefined || value === null ? value : serialize(value));
  }
  if (schema instanceof z.ZodMiniDiscriminatedUnion) return toUnionSerializer(schema) ?? parse;
  if (schema instanceof z.ZodMiniUnion && schema.def.options.every((option) => toSerializer(option) === keepAsIs))
    return keepAsIs;
  return parse;
}

/**
 * Outside of production the serializer also validates, so that every test proves that both agree. `label` names the
 * response in the error.
 */
export function createResponseSerializer(
  { isProduction }: { isProduction: boolean },
  schema: z.core.$ZodType,
  label: string,
): Serializer {
  const serialize = toSerializer(schema);
  if (isProduction) return serialize;
  return (value) => {
    const parsed = z.parse(schema, value);
    if (JSON.stringify(parsed) !== JSON.stringify(serialize(value)))
      throw new Error(`${label}: the serializer and the schema differ`);
    return parsed;
  };
}
