/** Default validation messages, written for users instead of developers. */
import * as z from 'zod/mini';

const TYPE_MESSAGES: Readonly<Record<string, string>> = {
  string: 'Enter text',
  number: 'Enter a number',
  int: 'Enter a whole number',
  boolean: 'Choose yes or no',
  array: 'Enter a list',
};
const FORMAT_MESSAGES: Readonly<Record<string, string>> = {
  datetime: 'Enter a date and time',
  date: 'Enter a date',
  url: 'Enter a web address',
};

function formatBound(prefix: 'At least' | 'At most', origin: string, limit: number | bigint): string {
  const unit = origin === 'string' ? (limit === 1 ? ' character' : ' characters') : '';
  return `${prefix} ${limit}${unit}`;
}

const toMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined || issue.input === null || issue.input === '') return 'This field is required';
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_MESSAGES[issue.expected] ?? 'Check this field';
    case 'too_small':
      return formatBound('At least', issue.origin, issue.minimum);
    case 'too_big':
      return formatBound('At most', issue.origin, issue.maximum);
    case 'invalid_format':
      return FORMAT_MESSAGES[issue.format] ?? 'Check the format';
    case 'invalid_value':
      return 'Choose one of the options';
    default:
      return 'Check this field';
  }
};

export function validate<T extends z.ZodMiniType>(schema: T, value: unknown): z.core.util.SafeParseResult<z.output<T>> {
  return z.safeParse(schema, value, { error: toMessage });
}
