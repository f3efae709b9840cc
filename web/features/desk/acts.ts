/**
 * Sends an operator's action once, however often it is pressed. It then refetches what the action changed, and reports
 * when another operator was first.
 */
import type { RequestOf, ResponseOf, RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { operatorDesk } from '@stagedoor/contract/desk.ts';
import { GROUND_LENGTH } from '@stagedoor/contract/processor-desk.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { askForProof, isProofAsked, useMay } from '../../kernel/operator.ts';
import { showToast } from '../../kernel/outcome.ts';
import { routeKey } from '../../kernel/query.ts';

export const groundFor = (label: string, hint = 'Recorded in the audit log.') => ({ label, hint, ...GROUND_LENGTH });

const isDecidedElsewhere = (error: Error | null) => error instanceof ApiError && error.code === 'CONFLICT';

/**
 * @param forget Routes whose data is refetched after success and failure.
 * @param done Text of the success toast.
 * @param undo Returns the function that reverts the action, if it can be reverted.
 */
export function useDeskAct<R extends RouteSpec>(
  route: R,
  {
    forget,
    done,
    undo,
    onDone,
    onElsewhere,
  }: {
    forget: readonly RouteSpec[];
    done: (answer: ResponseOf<R>) => string;
    undo?: ((answer: ResponseOf<R>) => (() => void) | undefined) | undefined;
    onDone?: (answer: ResponseOf<R>) => void;
    /** Called when another operator decided first. */
    onElsewhere?: () => void;
  },
) {
  const client = useQueryClient();
  const may = useMay(route);
  // The second click of a double click arrives before the button renders as busy.
  const isSending = useRef(false);
  const { mutate, isPending, error, reset } = useApiMutation(route, {
    showErrorMessage: false,
    onSuccess: (answer) => {
      const takeBack = undo?.(answer);
      void showToast(done(answer), 'success', takeBack ? { action: { label: 'Undo', onClick: takeBack } } : {});
      onDone?.(answer);
    },
    onError: (refused, request) => {
      if (isProofAsked(refused)) return askForProof(() => mutate(request));
      if (!isDecidedElsewhere(refused)) return;
      void showToast(refused.message, 'error');
      onElsewhere?.();
    },
    onSettled: () => {
      isSending.current = false;
      for (const one of [...forget, operatorDesk]) void client.invalidateQueries({ queryKey: routeKey(one) });
    },
  });
  const send = (request: RequestOf<R>) => {
    if (isSending.current) return;
    isSending.current = true;
    mutate(request);
  };
  const isSaidElsewhere = isDecidedElsewhere(error) || isProofAsked(error);
  return { send, reset, isPending, may, error: isSaidElsewhere ? undefined : error?.message };
}
