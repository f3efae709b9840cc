/**
 * The call histories of fans and creators, with missed calls marked and buttons to call again or request a callback
 * (rows E1, F4).
 */

import {
  type CallLog,
  listCallLogs,
  markMissedCallsSeen,
  requestCallback,
} from '@stagedoor/contract/messaging/calls.ts';
import { getConversationList } from '@stagedoor/contract/messaging/chat.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiInfiniteQuery, routeKey } from '../../../platform/query.ts';
import { useViewer } from '../../../platform/session.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Chip, Chips } from '../../../ui/chips.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { formatCallLog, formatRefund, isMissedCall } from './call-labels.ts';
import { CallTime } from './call-time.tsx';
import { missedCallsQuery } from './missed-calls.ts';
import { openCallCheck, openCallReceipt } from './open-call.ts';
import * as texts from './texts.ts';

const PAGE_SIZE = 20;
const callHistoryQuery = (onlyMissed: boolean) =>
  apiInfiniteQuery(listCallLogs, { query: { limit: PAGE_SIZE, ...(onlyMissed && { missed: 'true' }) } });

function CallbackButton({ log }: { log: CallLog }) {
  const client = useQueryClient();
  const request = useApiMutation(requestCallback, {
    onSuccess: () => void client.invalidateQueries({ queryKey: routeKey(listCallLogs) }),
  });
  if (log.isCallbackRequested || request.isSuccess)
    return <span className="ml-2.5 text-cap text-muted">{texts.callbackRequested}</span>;
  return (
    <Button
      variant="quiet"
      busy={request.isPending}
      busyText={texts.requestingCallback}
      onClick={() => request.mutate({ params: { id: log.callLogId } })}
    >
      {texts.requestCallback}
    </Button>
  );
}

export type BlockButtonComponent = ComponentType<{ user: { id: string; name: string }; onBlocked: () => void }>;

function CallLogRow({ log, now, Block }: { log: CallLog; now: string; Block: BlockButtonComponent }) {
  const client = useQueryClient();
  const onBlocked = () => {
    for (const route of [listCallLogs, getConversationList])
      void client.invalidateQueries({ queryKey: routeKey(route) });
  };
  const { other, isMissed, isOutgoing, kind } = log;
  const isCallbackRequested = isOutgoing && log.isCallbackRequested;
  const refundText = formatRefund(log);
  return (
    <li className="talk-row h-auto! min-h-18 py-2">
      <Avatar name={other.name} src={other.avatarUrl} />
      <div className="min-w-0">
        <span className="talk-row__name">
          <button
            type="button"
            className="talk-row__link one-line text-left"
            aria-label={formatText(texts.openReceiptLabel, { name: other.name, callSummary: formatCallLog(log) })}
            onClick={() => void openCallReceipt(log.callLogId)}
          >
            <bdi>{other.name}</bdi>
          </button>
        </span>
        <span className="talk-row__line one-line" data-strong={isMissed || isCallbackRequested ? '' : undefined}>
          {formatCallLog(log)}
          {log.amount > 0 && ` · ${formatUsd(log.amount)}`}
        </span>
        <span className="num block text-cap text-muted">
          <CallTime at={log.createdAt} now={now} />
          {refundText && ` · ${refundText}`}
        </span>
      </div>
      {isMissedCall(log) && (
        <span className="relative z-1 order-last col-start-2 -ml-2.5">
          <CallbackButton log={log} />
        </span>
      )}
      <span className="relative z-1 flex items-center">
        {isOutgoing && (
          <IconButton
            icon={kind === 'video' ? 'video' : 'phone'}
            label={formatText(texts.callUserAgain, { name: other.name })}
            onClick={() => void openCallCheck(other, kind)}
          />
        )}
        <Block user={other} onBlocked={onBlocked} />
      </span>
    </li>
  );
}

function useReceiptFromUrl(): void {
  const [search, setSearch] = useSearchParams();
  const callLogId = search.get('call');
  useEffect(() => {
    if (callLogId === null) return;
    setSearch(
      (before) => {
        before.delete('call');
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
    void openCallReceipt(callLogId);
  }, [callLogId, setSearch]);
}

function useMarkMissedSeen(): void {
  const client = useQueryClient();
  const count = useQuery(missedCallsQuery()).data?.count ?? 0;
  const markSeen = useApiMutation(markMissedCallsSeen, {
    showErrorMessage: false,
    onSuccess: (response) => client.setQueryData(missedCallsQuery().queryKey, response),
  });
  const { mutate } = markSeen;
  useEffect(() => {
    if (count > 0) mutate({});
  }, [count, mutate]);
}

function EmptyHistory({ onlyMissed, isCreator }: { onlyMissed: boolean; isCreator: boolean }) {
  if (onlyMissed) return <EmptyState line={isCreator ? texts.noMissedCalls : texts.noUnansweredCalls} />;
  return (
    <EmptyState line={texts.noCallsYet} more={isCreator ? texts.emptyHistoryCreatorHint : texts.emptyHistoryFanHint} />
  );
}

export function CallHistory({ Block }: { Block: BlockButtonComponent }) {
  const isCreator = useViewer()?.type === 'creator';
  const [onlyMissed, setOnlyMissed] = useState(false);
  const history = useInfiniteQuery(callHistoryQuery(onlyMissed));
  const [now] = useState(() => new Date().toISOString());
  useMarkMissedSeen();
  useReceiptFromUrl();
  const logs = history.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className="inbox__list">
      <div className="px-5 py-3 lg:px-6">
        <Chips label={texts.filterCalls}>
          <Chip pressed={!onlyMissed} onClick={() => setOnlyMissed(false)}>
            {texts.all}
          </Chip>
          <Chip pressed={onlyMissed} onClick={() => setOnlyMissed(true)}>
            {isCreator ? texts.missed : texts.unanswered}
          </Chip>
        </Chips>
      </div>
      {history.data === undefined ? (
        <div className="px-5 lg:px-6">
          {history.isError ? (
            <ErrorState onRetry={() => void history.refetch()} busy={history.isFetching} />
          ) : (
            <SkeletonRows />
          )}
        </div>
      ) : logs.length === 0 ? (
        <div className="px-5 lg:px-6">
          <EmptyHistory onlyMissed={onlyMissed} isCreator={isCreator} />
        </div>
      ) : (
        <>
          <ul aria-label={texts.calls}>
            {logs.map((log) => (
              <CallLogRow key={log.callLogId} log={log} now={now} Block={Block} />
            ))}
          </ul>
          <Pager
            onMore={history.hasNextPage ? () => void history.fetchNextPage() : undefined}
            busy={history.isFetchingNextPage}
          />
        </>
      )}
    </div>
  );
}
