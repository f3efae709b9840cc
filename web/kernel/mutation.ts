import type { RequestOf, ResponseOf, RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from './api.ts';
import { createOperations } from './operations.ts';
import { type Shown, showFailure, showSuccess } from './outcome.ts';
import { fetchTransport, routeKey } from './query.ts';

export interface ChangeOptions extends Shown {
  headers?: Record<string, string>;
  form?: FormData;
  signal?: AbortSignal;
  operationId?: string;
  /** The request continues when the page is left. */
  keepalive?: boolean;
}

/** Calls the API from the browser outside of queries. Shows an ApiError and rejects with it. */
export async function api<R extends RouteSpec>(
  route: R,
  request: RequestOf<R>,
  { showErrorMessage, showSuccessMessage, ...options }: ChangeOptions = {},
): Promise<ResponseOf<R>> {
  try {
    const body = await callApi(fetchTransport, route, request, options);
    showSuccess(body, { showSuccessMessage });
    return body;
  } catch (error) {
    showFailure(error, { showErrorMessage });
    throw error;
  }
}

type Extra<R extends RouteSpec> = Omit<UseMutationOptions<ResponseOf<R>, Error, RequestOf<R>>, 'mutationFn'> &
  Shown & { headers?: Record<string, string> };

/**
 * Usage: `const unlock = useApiMutation(unlockPost); unlock.mutate({ params: { id } })`. Routes with `idempotent` get
 * their operation id here.
 */
export function useApiMutation<R extends RouteSpec>(
  route: R,
  { showErrorMessage, showSuccessMessage, headers, ...options }: Extra<R> = {},
) {
  const [operations] = useState(() => createOperations());
  return useMutation({
    mutationKey: routeKey(route),
    ...options,
    mutationFn: async (request: RequestOf<R>) => {
      const shown = { showErrorMessage, showSuccessMessage, ...(headers && { headers }) };
      if (!route.idempotent) return api(route, request, shown);
      try {
        const body = await api(route, request, { ...shown, operationId: operations.idFor(request) });
        operations.succeeded(request);
        return body;
      } catch (error) {
        operations.failed(request, error);
        throw error;
      }
    },
  });
}
