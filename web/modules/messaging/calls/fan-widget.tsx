/** What a fan has in the top bar of every page: the low-balance warning, and the return to a call set-up (row F6). */
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { LowFundsLink } from './low-funds.tsx';
import { openCallCheck } from './open-call.ts';
import { isCallResumed, removeResumeParam, takePendingCall } from './pending-call.ts';

/** Opens the call set-up again after the fan has added funds for it. */
export function useResumedCall(): void {
  const [search, setSearch] = useSearchParams();
  const isResumed = isCallResumed(search);
  useEffect(() => {
    if (!isResumed) return;
    const pending = takePendingCall();
    setSearch(removeResumeParam, { replace: true, preventScrollReset: true });
    if (pending) void openCallCheck(pending.creator, pending.kind);
  }, [isResumed, setSearch]);
}

export function FanWidget() {
  useResumedCall();
  return <LowFundsLink />;
}
