/**
 * Response serializers that remove fields the schema does not name. They do not validate, because that costs as much as
 * the database query.
 */
import * as z from 'zod/mini';

export type Shape = (value: unknown) => unknown;

const same: Shape = (value) => value;

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function objectShape(schema: z.ZodMiniObject): Shape {
  const fields = Object.entries(schema.def.shape).map(
    ([name, field]) => [name, shapeOf(field), isFilling(field)] as const,
  );
  return (value) => {
    if (!isFields(value)) return value;
    const shaped: Record<string, unknown> = {};
    for (const [name, shape, isFilled] of fields) {
      const field = value[name];
      if (field !== undefined || isFilled) shaped[name] = shape === same ? field : shape(field);
    }
    return shaped;
  };
}

function isFilling(schema: z.core.$ZodType): boolean {
  const { success, data } = z.safeParse(schema, undefined);
  return success && data !== undefined;
}

function choiceShape({ _zod: { def } }: z.ZodMiniDiscriminatedUnion): Shape | undefined {
  const { discriminator } = def;
  const byValue = new Map<unknown, Shape>();
  for (const option of def.options) {
    const mark = option instanceof z.ZodMiniObject ? option.def.shape[discriminator] : undefined;
    if (!(mark instanceof z.ZodMiniLiteral)) return undefined;
    for (const value of mark.def.values) byValue.set(value, shapeOf(option));
  }
  return (value) => (isFields(value) ? byValue.get(value[discriminator])?.(value) : value);
}

function isPlain(schema: z.core.$ZodType): boolean {
  return (
    schema instanceof z.ZodMiniString ||
    schema instanceof z.ZodMiniNumber ||
    schema instanceof z.ZodMiniBoolean ||
    schema instanceof z.ZodMiniLiteral ||
    schema instanceof z.ZodMiniEnum ||
    schema instanceof z.ZodMiniNull
  );
}

function isChanging({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.checks?.some((check) => check._zod.def.check === 'overwrite') ?? false;
}

/**
 * Returns a function with the result of `z.parse` but without validation. Schemas other than objects, arrays, unions
 * and primitives still use `z.parse` and may throw.
 */
export function shapeOf(schema: z.core.$ZodType): Shape {
  const parse: Shape = (value) => z.parse(schema, value);
  if (isChanging(schema) || isFilling(schema)) return parse;
  if (isPlain(schema)) return same;
  if (schema instanceof z.ZodMiniObject) return schema.def.catchall ? parse : objectShape(schema);
  if (schema instanceof z.ZodMiniArray) {
    const shape = shapeOf(schema.def.element);
    return shape === same ? same : (value) => (Array.isArray(value) ? value.map(shape) : value);
  }
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
    const shape = shapeOf(schema.def.innerType);
    return shape === same ? same : (value) => (value === undefined || value === null ? value : shape(value));
  }
  if (schema instanceof z.ZodMiniDiscriminatedUnion) return choiceShape(schema) ?? parse;
  return parse;
}

/**
 * Outside of production the serializer also validates, so that every test proves that both agree. `what` names the
 * response in the error.
 */
export function answerShape({ isProduction }: { isProduction: boolean }, schema: z.core.$ZodType, what: string): Shape {
  const shape = shapeOf(schema);
  if (isProduction) return shape;
  return (value) => {
    const parsed = z.parse(schema, value);
    if (JSON.stringify(parsed) !== JSON.stringify(shape(value)))
      throw new Error(`${what}: it cannot be shaped without being parsed`);
    return parsed;
  };
}
