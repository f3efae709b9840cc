import type { RequestOf, ResponseOf, RouteSpec } from '@stagedoor/contract/shared/route.ts';
import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from './api.ts';
import { type FeedbackOptions, showFailure, showSuccess } from './feedback.ts';
import { createOperationIds } from './operation-ids.ts';
import { fetchTransport, routeKey } from './query.ts';

export interface ApiOptions extends FeedbackOptions {
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
  { showErrorMessage, showSuccessMessage, ...options }: ApiOptions = {},
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

type ApiMutationOptions<R extends RouteSpec> = Omit<
  UseMutationOptions<ResponseOf<R>, Error, RequestOf<R>>,
  'mutationFn'
> &
  FeedbackOptions & { headers?: Record<string, string> };

/**
 * Usage: `const unlock = useApiMutation(unlockPost); unlock.mutate({ params: { id } })`. Routes with `idempotent` get
 * their operation id here.
 */
export function useApiMutation<R extends RouteSpec>(
  route: R,
  { showErrorMessage, showSuccessMessage, headers, ...options }: ApiMutationOptions<R> = {},
) {
  const [operations] = useState(() => createOperationIds());
  return useMutation({
    mutationKey: routeKey(route),
    ...options,
    mutationFn: async (request: RequestOf<R>) => {
      const apiOptions = { showErrorMessage, showSuccessMessage, ...(headers && { headers }) };
      if (!route.idempotent) return api(route, request, apiOptions);
      try {
        const body = await api(route, request, { ...apiOptions, operationId: operations.getId(request) });
        operations.markSucceeded(request);
        return body;
      } catch (error) {
        operations.markFailed(request, error);
        throw error;
      }
    },
  });
}
