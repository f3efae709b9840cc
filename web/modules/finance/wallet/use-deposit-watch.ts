/** Polls the status of a deposit, and immediately when the balance changes. */

import { type Deposit, getDeposit, getDepositHistory } from '@stagedoor/contract/commerce/deposits.ts';
import { balanceChanged, getTransactionHistory, getWallet } from '@stagedoor/contract/finance/wallet.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { apiQuery, routeKey } from '../../../platform/query.ts';
import { viewerQuery } from '../../../platform/session.ts';
import { useSocketEvent } from '../../../platform/socket-events.ts';

const POLLING = { everyMs: 1_500, forMs: 120_000 } as const;

export type WatchState = 'waiting' | 'success' | 'failed' | 'late' | 'unknown';

export const depositQuery = (id: string) => apiQuery(getDeposit, { params: { id } });

/** Returns the state to show. The parameters of the return address are only a hint, the server's response decides. */
export function getWatchState(
  deposit: Pick<Deposit, 'status'> | undefined,
  error: unknown,
  isLate: boolean,
): WatchState {
  if (deposit?.status === 'success' || deposit?.status === 'failed') return deposit.status;
  if (!deposit && error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'VALIDATION'))
    return 'unknown';
  return isLate ? 'late' : 'waiting';
}

/** Watches a deposit by its id or order id. `retry` restarts the timeout. */
export function useDepositWatch(id: string) {
  const client = useQueryClient();
  const [round, setRound] = useState(0);
  const [lateRound, setLateRound] = useState<number>();
  const isLate = lateRound === round;
  const { data, error, refetch } = useQuery({
    ...depositQuery(id),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      getWatchState(state.data, state.error, isLate) === 'waiting' ? POLLING.everyMs : false,
  });
  const state = getWatchState(data, error, isLate);
  useSocketEvent(balanceChanged, () => void refetch());
  useEffect(() => {
    const timer = setTimeout(() => setLateRound(round), POLLING.forMs);
    return () => clearTimeout(timer);
  }, [round]);
  useEffect(() => {
    if (state !== 'success') return;
    void client.invalidateQueries({ queryKey: viewerQuery().queryKey });
    for (const route of [getWallet, getTransactionHistory, getDepositHistory])
      void client.invalidateQueries({ queryKey: routeKey(route) });
  }, [client, state]);
  const retry = () => {
    setRound((before) => before + 1);
    void refetch();
  };
  return { state, deposit: data, retry };
}
