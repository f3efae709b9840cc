/**
 * Handles forms that were sent without script: makes the call, returns validation messages per field and keeps the
 * input.
 */
import type { RequestOf, ResponseOf, RouteSpec } from '@stagedoor/contract/shared/route.ts';
import type { ActionFunctionArgs } from 'react-router';
import { callApi } from './api.ts';
import { ApiError, type FailureCode } from './api-error.ts';
import { requestContextKey } from './request-context.ts';

export interface FormRefusal {
  values: Readonly<Record<string, string>>;
  fields: Readonly<Record<string, string>>;
  message: string | undefined;
}

const SECRET = /password|code|token/i;

export async function readFormValues(request: Request): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, value] of await request.formData()) if (typeof value === 'string') values[name] = value;
  return values;
}

/** Makes the call for a posted form. Validation messages go to their fields, others are shown next to the button. */
export async function sendForm<R extends RouteSpec>(
  { context }: Pick<ActionFunctionArgs, 'context'>,
  route: R,
  request: RequestOf<R>,
  values: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Promise<{ ok: true; body: ResponseOf<R> } | { ok: false; code: FailureCode; refusal: FormRefusal }> {
  try {
    return { ok: true, body: await callApi(context.get(requestContextKey).transport, route, request, { headers }) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const publicValues = Object.fromEntries(Object.entries(values).filter(([name]) => !SECRET.test(name)));
    const formMessage = Object.entries(error.fields).find(
      ([path]) => !Object.hasOwn(values, path.split('.')[0] ?? ''),
    )?.[1];
    const hasField = Object.keys(error.fields).length > 0;
    return {
      ok: false,
      code: error.code,
      refusal: {
        values: publicValues,
        fields: error.fields,
        message: formMessage ?? (hasField ? undefined : error.message),
      },
    };
  }
}
