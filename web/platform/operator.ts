import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { canOperatorCallRoute, type OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import { getOperatorAccess } from '@stagedoor/contract/admin/staff.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { ApiError } from './api-error.ts';
import { apiQuery } from './query.ts';

const meQuery = () => ({ ...apiQuery(getOperatorAccess, {}), staleTime: Number.POSITIVE_INFINITY });

export async function loadRoles(client: QueryClient): Promise<readonly OperatorRole[]> {
  try {
    return (await client.ensureQueryData(meQuery())).roles;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'FORBIDDEN') return [];
    throw error;
  }
}

export function useRoles(): readonly OperatorRole[] {
  return useQuery(meQuery()).data?.roles ?? [];
}

export function useCanCallRoute(route: Pick<RouteSpec, 'method' | 'path'>): boolean {
  return canOperatorCallRoute(useRoles(), route);
}

export const isStepUpRequired = (error: unknown): boolean =>
  error instanceof ApiError && error.href === ADMIN_PATHS.adminStepUp;

export const stepUpPath = (back: string) => `${ADMIN_PATHS.adminStepUp}?back=${encodeURIComponent(back)}`;

type StepUpRetry = () => void;
let pendingRetry: StepUpRetry | undefined;
const listeners = new Set<() => void>();
function setPendingRetry(next: StepUpRetry | undefined): void {
  pendingRetry = next;
  for (const listener of listeners) listener();
}

/** Requests step-up authentication and calls `retry` afterwards. */
export const requestStepUp = (retry: StepUpRetry): void => setPendingRetry(retry);

export function useStepUpRequest(): [StepUpRetry | undefined, () => void] {
  const waiting = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pendingRetry,
    () => undefined,
  );
  return [waiting, () => setPendingRetry(undefined)];
}

const INACTIVE_MS = 10 * 60_000;
let lastActiveAt = 0;

export function useActivityTracking(): void {
  useEffect(() => {
    const recordActivity = () => {
      lastActiveAt = Date.now();
    };
    recordActivity();
    const kinds = ['pointerdown', 'keydown'] as const;
    for (const kind of kinds) addEventListener(kind, recordActivity, { passive: true });
    return () => {
      for (const kind of kinds) removeEventListener(kind, recordActivity);
    };
  }, []);
}

/** The poll interval. It stops while the operator is inactive, so that the session can expire. */
export const pollWhileActive = (everyMs: number) => () =>
  Date.now() - lastActiveAt < INACTIVE_MS ? everyMs : (false as const);
