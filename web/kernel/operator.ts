/** Who one is at the desk: which roles, what they let one do, whether anybody sits there, and what waits for a proof of who it is. */
import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { type OperatorRole, operatorMay } from '@stagedoor/contract/operator-rights.ts';
import { readMe } from '@stagedoor/contract/operators.ts';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { ApiError } from './api-error.ts';
import { apiQuery } from './query.ts';

const meQuery = () => ({ ...apiQuery(readMe, {}), staleTime: Number.POSITIVE_INFINITY });

/** The roles of who is logged in, for a loader; none for who has none. */
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

/** Whether one's roles include a route. */
export function useMay(route: Pick<RouteSpec, 'method' | 'path'>): boolean {
  return operatorMay(useRoles(), route);
}

/** Whether something was refused until one proves again who one is. */
export const isProofAsked = (error: unknown): boolean =>
  error instanceof ApiError && error.href === DESK_PATHS.adminProve;

/** The page that asks for it, and leads back. */
export const provePath = (back: string) => `${DESK_PATHS.adminProve}?back=${encodeURIComponent(back)}`;

type Wish = () => void;
let wish: Wish | undefined;
const listeners = new Set<() => void>();
function setWish(next: Wish | undefined): void {
  wish = next;
  for (const listener of listeners) listener();
}

/** Asks for a proof, and does `again` once there is one. */
export const askForProof = (again: Wish): void => setWish(again);

/** What waits for a proof, if anything, and how it is let go. */
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

/** Hears whether somebody sits at the desk. */
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

/** How often something is asked again: not at a desk that was left alone, so that its session comes to its end. */
export const whileAttended = (everyMs: number) => () =>
  Date.now() - lastTouched < LEFT_ALONE_MS ? everyMs : (false as const);
