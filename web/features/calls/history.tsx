/**
 * The call histories of fans and creators, with missed calls marked and buttons to call again or request a callback
 * (rows E1, F4).
 */
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { askCallBack, type CallLog, callHistory, seeMissedCalls } from '@stagedoor/contract/calls.ts';
import { conversationList } from '@stagedoor/contract/chat.ts';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useApiMutation } from '../../kernel/mutation.ts';
import { apiInfiniteQuery, routeKey } from '../../kernel/query.ts';
import { useViewer } from '../../kernel/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Chip, Chips } from '../../ui/chips.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { missedQuery } from './missed.ts';
import { openCheck, openReceipt } from './opening.ts';
import { OwnTime } from './own-time.tsx';
import { givenBackWords, logWords, wasMissed } from './words.ts';

const PAGE = 20;
const historyQuery = (onlyMissed: boolean) =>
  apiInfiniteQuery(callHistory, { query: { limit: PAGE, ...(onlyMissed && { missed: 'true' }) } });

function AskBack({ log }: { log: CallLog }) {
  const client = useQueryClient();
  const ask = useApiMutation(askCallBack, {
    onSuccess: () => void client.invalidateQueries({ queryKey: routeKey(callHistory) }),
  });
  if (log.isCallBackAsked || ask.isSuccess) return <span className="text-cap text-muted">Callback requested</span>;
  return (
    <Button
      variant="quiet"
      busy={ask.isPending}
      busyText="Requesting…"
      onClick={() => ask.mutate({ params: { id: log.callLogId } })}
    >
      Request callback
    </Button>
  );
}

export type Block = ComponentType<{ person: { id: string; name: string }; onBlocked: () => void }>;

function LogRow({ log, now, Block }: { log: CallLog; now: string; Block: Block }) {
  const client = useQueryClient();
  const onBlocked = () => {
    for (const route of [callHistory, conversationList]) void client.invalidateQueries({ queryKey: routeKey(route) });
  };
  const { other, isMissed, isOutgoing, kind } = log;
  const isWanted = isOutgoing && log.isCallBackAsked;
  const back = givenBackWords(log);
  return (
    <li className="talk-row h-auto! min-h-18 py-2">
      <Avatar name={other.name} src={other.avatarUrl} />
      <div className="min-w-0">
        <span className="talk-row__name">
          <button
            type="button"
            className="talk-row__link one-line text-left"
            aria-label={`${other.name}, ${logWords(log)}. Receipt`}
            onClick={() => void openReceipt(log.callLogId)}
          >
            <bdi>{other.name}</bdi>
          </button>
        </span>
        <span className="talk-row__line one-line" data-strong={isMissed || isWanted ? '' : undefined}>
          {logWords(log)}
          {log.amount > 0 && ` · ${formatUsd(log.amount)}`}
        </span>
        <span className="num block text-cap text-muted">
          <OwnTime at={log.createdAt} now={now} />
          {back && ` · ${back}`}
        </span>
      </div>
      <span className="relative z-1 flex items-center">
        {isOutgoing ? (
          <IconButton
            icon={kind === 'video' ? 'video' : 'phone'}
            label={`Call ${other.name} again`}
            onClick={() => void openCheck(other, kind)}
          />
        ) : (
          wasMissed(log) && <AskBack log={log} />
        )}
        <Block person={other} onBlocked={onBlocked} />
      </span>
    </li>
  );
}

function useNamedReceipt(): void {
  const [search, setSearch] = useSearchParams();
  const named = search.get('call');
  useEffect(() => {
    if (named === null) return;
    setSearch(
      (before) => {
        before.delete('call');
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
    void openReceipt(named);
  }, [named, setSearch]);
}

function useSeen(): void {
  const client = useQueryClient();
  const count = useQuery(missedQuery()).data?.count ?? 0;
  const see = useApiMutation(seeMissedCalls, {
    showErrorMessage: false,
    onSuccess: (answer) => client.setQueryData(missedQuery().queryKey, answer),
  });
  const { mutate } = see;
  useEffect(() => {
    if (count > 0) mutate({});
  }, [count, mutate]);
}

function Empty({ onlyMissed, isCreator }: { onlyMissed: boolean; isCreator: boolean }) {
  if (onlyMissed) return <EmptyState line={isCreator ? 'No missed calls' : 'No unanswered calls'} />;
  return (
    <EmptyState
      line="No calls yet"
      more={
        isCreator
          ? 'Your calls appear here with their length and what you earned.'
          : 'Your calls appear here with their length and price.'
      }
    />
  );
}

export function CallHistory({ Block }: { Block: Block }) {
  const isCreator = useViewer()?.type === 'creator';
  const [onlyMissed, setOnlyMissed] = useState(false);
  const history = useInfiniteQuery(historyQuery(onlyMissed));
  const [now] = useState(() => new Date().toISOString());
  useSeen();
  useNamedReceipt();
  const logs = history.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className="inbox__list">
      <div className="px-5 py-3 lg:px-6">
        <Chips label="Filter calls">
          <Chip pressed={!onlyMissed} onClick={() => setOnlyMissed(false)}>
            All
          </Chip>
          <Chip pressed={onlyMissed} onClick={() => setOnlyMissed(true)}>
            {isCreator ? 'Missed' : 'Unanswered'}
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
          <Empty onlyMissed={onlyMissed} isCreator={isCreator} />
        </div>
      ) : (
        <>
          <ul aria-label="Calls">
            {logs.map((log) => (
              <LogRow key={log.callLogId} log={log} now={now} Block={Block} />
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
