import * as z from 'zod/mini';

type Shape = z.core.JSONSchema.JSONSchema;

export const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';
export const TEST_PASSWORD = 'Curtain7!call';
/** The first one that the schema accepts is used. */
const TEXTS = [
  UNKNOWN_ID,
  'sample.person',
  'sample@example.com',
  TEST_PASSWORD,
  '000000',
  'en',
  '2100-01-01T12:00:00.000Z',
];

function findText({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern = '' }: Shape): string | undefined {
  const form = new RegExp(pattern, 'u');
  return TEXTS.find((text) => text.length >= minLength && text.length <= maxLength && form.test(text));
}

function generateValue(shape: Shape | boolean | undefined, isWanted: (key: string, parent: Shape) => boolean): unknown {
  if (typeof shape !== 'object') return undefined;
  const first = shape.const ?? shape.enum?.[0];
  if (first !== undefined) return first;
  if (shape.anyOf) return generateValue(shape.anyOf[0], isWanted);
  switch (shape.type) {
    case 'string':
      return findText(shape);
    case 'number':
    case 'integer':
      return Math.min(Math.max(5, shape.minimum ?? 5), shape.maximum ?? Number.POSITIVE_INFINITY);
    case 'boolean':
      return true;
    case 'array':
      return Array.isArray(shape.items) ? [] : [generateValue(shape.items, isWanted)];
    case 'object':
      return Object.fromEntries(
        Object.entries(shape.properties ?? {})
          .filter(([key]) => isWanted(key, shape))
          .map(([key, inner]) => [key, generateValue(inner, isWanted)]),
      );
    default:
      return undefined;
  }
}

/** Returns undefined if the schema refuses the generated value. */
export function generateFromSchema(schema: z.ZodMiniType, fields: 'all' | 'required'): unknown {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const value = generateValue(shape, (key, { required = [] }) => fields === 'all' || required.includes(key));
  return z.safeParse(schema, value).success ? value : undefined;
}
