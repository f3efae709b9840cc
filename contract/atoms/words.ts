/** Default validation messages, written for users instead of developers. */
import * as z from 'zod/mini';

const WANTED: Readonly<Record<string, string>> = {
  string: 'Please enter text',
  number: 'Please enter a number',
  int: 'Please enter a whole number',
  boolean: 'Please choose yes or no',
  array: 'Please give a list',
};
const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'Please enter a day and a time',
  date: 'Please enter a date',
  url: 'Please enter an address',
};

function bound(words: 'At least' | 'At most', origin: string, limit: number | bigint): string {
  const unit = origin === 'string' ? (limit === 1 ? ' character' : ' characters') : '';
  return `${words} ${limit}${unit}`;
}

const inWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined || issue.input === null || issue.input === '') return 'Please fill this in';
  switch (issue.code) {
    case 'invalid_type':
      return WANTED[issue.expected] ?? 'Please check this';
    case 'too_small':
      return bound('At least', issue.origin, issue.minimum);
    case 'too_big':
      return bound('At most', issue.origin, issue.maximum);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'Please check how this is written';
    case 'invalid_value':
      return 'Please choose one of those offered';
    default:
      return 'Please check this';
  }
};

export function check<T extends z.ZodMiniType>(schema: T, value: unknown): z.core.util.SafeParseResult<z.output<T>> {
  return z.safeParse(schema, value, { error: inWords });
}
