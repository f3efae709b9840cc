import { validate } from '@stagedoor/contract/shared/validation.ts';
import {
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  get,
  type Resolver,
  type UseFormReturn,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { ApiError, toFieldMessages } from './api-error.ts';

const toFieldName = (path: string) => path.split('.')[0] ?? '';

/** Creates a resolver from a contract schema. The form holds the schema's input, and submitting provides its output. */
export function createContractResolver<T extends z.ZodMiniType<FieldValues, FieldValues>>(
  schema: T,
): Resolver<z.input<T>, unknown, z.output<T>> {
  return async (values) => {
    const result = validate(schema, values);
    if (result.success) return { values: result.data, errors: {} };
    const errors: Record<string, { type: string; message: string }> = {};
    for (const issue of result.error.issues) {
      const field = toFieldName(issue.path.map(String).join('.')) || 'root';
      errors[field] ??= { type: 'contract', message: issue.message };
    }
    // Form fields have flat names and show errors of nested values.
    return { values: {}, errors: errors as FieldErrors<z.input<T>> };
  };
}

/** Puts the server's validation messages on the form fields. Returns the message that belongs to no field. */
export function applyFieldErrors<T extends FieldValues>(
  form: Pick<UseFormReturn<T>, 'setError' | 'getValues'>,
  error: unknown,
): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const values = form.getValues();
  const isField = (name: string): name is FieldPath<T> => get(values, name) !== undefined;
  const assigned = new Set<string>();
  let formMessage: string | undefined;
  for (const [path, message] of Object.entries(error.fields)) {
    const field = toFieldName(path);
    if (assigned.has(field)) continue;
    if (isField(field)) {
      form.setError(field, { type: 'server', message }, { shouldFocus: assigned.size === 0 });
      assigned.add(field);
    } else formMessage ??= message;
  }
  return formMessage ?? (assigned.size > 0 ? undefined : error.message);
}

/** Handles a submit: validation messages go to their fields, other errors above the form (`root`). */
export function createSubmitHandler<T extends FieldValues, C, V extends FieldValues>(
  form: UseFormReturn<T, C, V>,
  send: (values: V) => Promise<void>,
) {
  return form.handleSubmit(async (values) => {
    try {
      await send(values);
    } catch (error) {
      const formMessage = applyFieldErrors(form, error);
      if (formMessage) form.setError('root', { message: formMessage });
    }
  });
}

export function validateFields(schema: z.ZodMiniType, values: unknown): Record<string, string> {
  const result = validate(schema, values);
  if (result.success) return {};
  return toFieldMessages(
    result.error.issues.map((issue) => ({ field: issue.path.map(String).join('.'), message: issue.message })),
  );
}
