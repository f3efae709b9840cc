import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import type { getTicket } from '@stagedoor/contract/trust/support.ts';
import {
  closeTicket,
  createTicket,
  replyToTicket,
  type TicketEntry,
  type TicketSummary,
} from '@stagedoor/contract/trust/support.ts';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDayTime, lowercaseDayWord } from '../../../platform/dates.ts';
import { LinkedText } from '../../../platform/linked-text.tsx';
import { api, useApiMutation } from '../../../platform/mutation.ts';
import { createOperationIds } from '../../../platform/operation-ids.ts';
import { StatusDot } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { TicketMessageForm, type TicketMessageInput } from './message-form.tsx';
import { ticketQuery, ticketsQuery } from './queries.ts';
import * as texts from './texts.ts';

/** `now` is an ISO timestamp. */
function TicketStatus({ ticket: { state, answerBy }, now }: { ticket: TicketSummary; now: string }) {
  if (state === 'closed') return <StatusDot state="off">{texts.closed}</StatusDot>;
  if (state === 'waiting') return <StatusDot state="on">{texts.answered}</StatusDot>;
  return (
    <StatusDot state="busy">
      {answerBy === null
        ? texts.inReview
        : formatText(texts.willReplyBy, { answerBy: lowercaseDayWord(formatDayTime(answerBy, now)) })}
    </StatusDot>
  );
}

export function TicketList({ now, toHref }: { now: string; toHref: (id: string) => string }) {
  const query = useInfiniteQuery(ticketsQuery());
  if (!query.data)
    return query.isError ? (
      <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />
    ) : (
      <SkeletonRows count={3} />
    );
  const tickets = query.data.pages.flatMap(({ data }) => data);
  if (tickets.length === 0) return <EmptyState line={texts.noSupportRequestsYet} more={texts.noSupportRequestsHint} />;
  return (
    <>
      <Rows closed label={texts.supportRequests}>
        {tickets.map((ticket) => (
          <Row
            key={ticket.id}
            href={toHref(ticket.id)}
            title={ticket.subject}
            sub={<TicketStatus ticket={ticket} now={now} />}
            end={<span className="num text-small text-muted">{formatDayTime(ticket.changedAt, now)}</span>}
          />
        ))}
      </Rows>
      <Pager
        onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
        busy={query.isFetchingNextPage}
      />
    </>
  );
}

const toPictureUrl = (id: string) => `/api/helpdesk/pictures/${id}`;

function TicketMessage({ entry: { at, isFromSupport, text, pictures }, now }: { entry: TicketEntry; now: string }) {
  return (
    <li className={isFromSupport ? 'border-l-2 border-ink pl-4' : 'pl-4'}>
      <p className="flex flex-wrap justify-between gap-x-4 text-small">
        <span className="font-semibold">{isFromSupport ? texts.stagedoor : texts.you}</span>
        <span className="text-muted num">{formatDayTime(at, now)}</span>
      </p>
      <p dir="auto" className="pt-1 whitespace-pre-line wrap-anywhere">
        <LinkedText text={text} />
      </p>
      {pictures.length > 0 && (
        <ul className="flex flex-wrap gap-2 pt-3">
          {pictures.map(({ id, width, height }, index) => (
            <li key={id}>
              <a href={toPictureUrl(id)} target="_blank" rel="noopener">
                <img
                  className="h-28 w-auto"
                  src={toPictureUrl(id)}
                  alt={formatText(texts.attachment, { index: index + 1 })}
                  width={width}
                  height={height}
                  loading="lazy"
                />
              </a>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

type TicketDetail = ResponseOf<typeof getTicket>;

function useCacheTicket() {
  const client = useQueryClient();
  return (ticket: TicketDetail) => {
    client.setQueryData(ticketQuery(ticket.id).queryKey, ticket);
    void client.invalidateQueries({ queryKey: ticketsQuery().queryKey });
  };
}

function Thread({ ticket, now }: { ticket: TicketDetail; now: string }) {
  const cacheTicket = useCacheTicket();
  const close = useApiMutation(closeTicket, { onSuccess: cacheTicket });
  const { id, state } = ticket;
  const reply = async ({ message, pictures }: TicketMessageInput) =>
    cacheTicket(await api(replyToTicket, { params: { id }, body: { message, pictures } }, { showErrorMessage: false }));
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-5 text-small">
        <span className="text-muted num">{ticket.reference}</span>
        <TicketStatus ticket={ticket} now={now} />
      </p>
      <ol className="grid gap-6 pb-8" aria-label={texts.conversation}>
        {ticket.entries.map((entry) => (
          <TicketMessage key={entry.id} entry={entry} now={now} />
        ))}
      </ol>
      <TicketMessageForm label={state === 'closed' ? texts.reopen : texts.reply} button={texts.send} onSend={reply} />
      {state !== 'closed' && (
        <p className="pt-3">
          <Button
            variant="quiet"
            wide
            busy={close.isPending}
            busyText={texts.closing}
            onClick={() => close.mutate({ params: { id } })}
          >
            {texts.markAsResolved}
          </Button>
        </p>
      )}
    </>
  );
}

export function TicketThread({ id, now }: { id: string; now: string }) {
  const query = useQuery(ticketQuery(id));
  if (query.data) return <Thread ticket={query.data} now={now} />;
  return query.isError ? (
    <ErrorState title={texts.requestMissing} onRetry={() => void query.refetch()} busy={query.isFetching} />
  ) : (
    <SkeletonRows count={3} />
  );
}

export function NewTicket({ onOpened }: { onOpened: (id: string) => void }) {
  const cacheTicket = useCacheTicket();
  const [operations] = useState(() => createOperationIds());
  const send = async (body: TicketMessageInput) => {
    const options = { operationId: operations.getId({ body }), showErrorMessage: false };
    try {
      const ticket = await api(createTicket, { body }, options);
      operations.markSucceeded({ body });
      cacheTicket(ticket);
      onOpened(ticket.id);
    } catch (error) {
      operations.markFailed({ body }, error);
      throw error;
    }
  };
  return <TicketMessageForm hasSubject label={texts.yourMessage} button={texts.contactSupport} onSend={send} />;
}
