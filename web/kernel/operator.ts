import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { type OperatorRole, operatorMay } from '@stagedoor/contract/operator-rights.ts';
import { readMe } from '@stagedoor/contract/operators.ts';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { ApiError } from './api-error.ts';
import { apiQuery } from './query.ts';

const meQuery = () => ({ ...apiQuery(readMe, {}), staleTime: Number.POSITIVE_INFINITY });

export async function rolesOf(client: QueryClient): Promise<readonly OperatorRole[]> {
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

export function useMay(route: Pick<RouteSpec, 'method' | 'path'>): boolean {
  return operatorMay(useRoles(), route);
}

export const isProofAsked = (error: unknown): boolean =>
  error instanceof ApiError && error.href === DESK_PATHS.adminProve;

export const provePath = (back: string) => `${DESK_PATHS.adminProve}?back=${encodeURIComponent(back)}`;

type Wish = () => void;
let wish: Wish | undefined;
const listeners = new Set<() => void>();
function setWish(next: Wish | undefined): void {
  wish = next;
  for (const listener of listeners) listener();
}

/** Requests step-up authentication and calls `again` afterwards. */
export const askForProof = (again: Wish): void => setWish(again);

export function useAskedProof(): [Wish | undefined, () => void] {
  const waiting = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => wish,
    () => undefined,
  );
  return [waiting, () => setWish(undefined)];
}

const LEFT_ALONE_MS = 10 * 60_000;
let lastTouched = 0;

export function useAttendance(): void {
  useEffect(() => {
    const touch = () => {
      lastTouched = Date.now();
    };
    touch();
    const kinds = ['pointerdown', 'keydown'] as const;
    for (const kind of kinds) addEventListener(kind, touch, { passive: true });
    return () => {
      for (const kind of kinds) removeEventListener(kind, touch);
    };
  }, []);
}

/** The poll interval. It stops while the operator is inactive, so that the session can expire. */
export const whileAttended = (everyMs: number) => () =>
  Date.now() - lastTouched < LEFT_ALONE_MS ? everyMs : (false as const);
