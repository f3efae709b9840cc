/**
 * Sends an operator's action once, however often it is pressed. It then refetches what the action changed, and reports
 * when another operator was first.
 */

import { REASON_LENGTH } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { getWorkQueue } from '@stagedoor/contract/admin/work-queue.ts';
import type { RequestOf, ResponseOf, RouteSpec } from '@stagedoor/contract/shared/route.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { isStepUpRequired, requestStepUp, useCanCallRoute } from '../../../platform/operator.ts';
import { routeKey } from '../../../platform/query.ts';
import * as texts from './texts.ts';

export const createReasonField = (label: string, hint = texts.auditLogNotice) => ({
  label,
  hint,
  ...REASON_LENGTH,
});

const isDecidedElsewhere = (error: Error | null) => error instanceof ApiError && error.code === 'CONFLICT';

/**
 * @param invalidates Routes whose data is refetched after success and failure.
 * @param successMessage Text of the success toast.
 * @param undo Returns the function that reverts the action, if it can be reverted.
 */
export function useAdminAction<R extends RouteSpec>(
  route: R,
  {
    invalidates,
    successMessage,
    undo,
    onDone,
    onConflict,
  }: {
    invalidates: readonly RouteSpec[];
    successMessage: (response: ResponseOf<R>) => string;
    undo?: ((response: ResponseOf<R>) => (() => void) | undefined) | undefined;
    onDone?: (response: ResponseOf<R>) => void;
    /** Called when another operator decided first. */
    onConflict?: () => void;
  },
) {
  const client = useQueryClient();
  const isAllowed = useCanCallRoute(route);
  // The second click of a double click arrives before the button renders as busy.
  const isSending = useRef(false);
  const { mutate, isPending, error, reset } = useApiMutation(route, {
    showErrorMessage: false,
    onSuccess: (response) => {
      const undoAction = undo?.(response);
      void showToast(
        successMessage(response),
        'success',
        undoAction ? { action: { label: texts.undo, onClick: undoAction } } : {},
      );
      onDone?.(response);
    },
    onError: (refusal, request) => {
      if (isStepUpRequired(refusal)) return requestStepUp(() => mutate(request));
      if (!isDecidedElsewhere(refusal)) return;
      void showToast(refusal.message, 'error');
      onConflict?.();
    },
    onSettled: () => {
      isSending.current = false;
      for (const changed of [...invalidates, getWorkQueue])
        void client.invalidateQueries({ queryKey: routeKey(changed) });
    },
  });
  const send = (request: RequestOf<R>) => {
    if (isSending.current) return;
    isSending.current = true;
    mutate(request);
  };
  const isShownElsewhere = isDecidedElsewhere(error) || isStepUpRequired(error);
  return { send, reset, isPending, isAllowed, error: isShownElsewhere ? undefined : error?.message };
}
