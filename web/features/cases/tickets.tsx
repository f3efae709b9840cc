import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import type { readTicket } from '@stagedoor/contract/cases.ts';
import { closeTicket, openTicket, type Ticket, type TicketEntry, writeTicket } from '@stagedoor/contract/cases.ts';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDayTime, withinSentence } from '../../kernel/dates.ts';
import { api, useApiMutation } from '../../kernel/mutation.ts';
import { createOperations } from '../../kernel/operations.ts';
import { Lamp } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Row, Rows } from '../../ui/rows.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { MessageForm, type Written } from './message-form.tsx';
import { ticketQuery, ticketsQuery } from './queries.ts';

/** `now` is an ISO timestamp. */
function Standing({ ticket: { state, answerBy }, now }: { ticket: Ticket; now: string }) {
  if (state === 'closed') return <Lamp state="off">Closed</Lamp>;
  if (state === 'waiting') return <Lamp state="on">Answered</Lamp>;
  return (
    <Lamp state="busy">
      {answerBy === null ? 'In review' : `We’ll reply by ${withinSentence(formatDayTime(answerBy, now))}`}
    </Lamp>
  );
}

export function TicketList({ now, hrefOf }: { now: string; hrefOf: (id: string) => string }) {
  const query = useInfiniteQuery(ticketsQuery());
  if (!query.data)
    return query.isError ? (
      <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />
    ) : (
      <SkeletonRows count={3} />
    );
  const tickets = query.data.pages.flatMap(({ data }) => data);
  if (tickets.length === 0)
    return <EmptyState line="No support requests yet" more="Your requests and our replies appear here." />;
  return (
    <>
      <Rows closed label="Support requests">
        {tickets.map((ticket) => (
          <Row
            key={ticket.id}
            href={hrefOf(ticket.id)}
            title={ticket.subject}
            sub={<Standing ticket={ticket} now={now} />}
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

const pictureUrl = (id: string) => `/api/helpdesk/pictures/${id}`;

function Entry({ entry: { at, isOurs, text, pictures }, now }: { entry: TicketEntry; now: string }) {
  return (
    <li className={isOurs ? 'border-l-2 border-ink pl-4' : 'pl-4'}>
      <p className="flex flex-wrap justify-between gap-x-4 text-small">
        <span className="font-semibold">{isOurs ? 'Stagedoor' : 'You'}</span>
        <span className="text-muted num">{formatDayTime(at, now)}</span>
      </p>
      <p dir="auto" className="pt-1 whitespace-pre-line wrap-anywhere">
        {text}
      </p>
      {pictures.length > 0 && (
        <ul className="flex flex-wrap gap-2 pt-3">
          {pictures.map(({ id, width, height }, index) => (
            <li key={id}>
              <a href={pictureUrl(id)} target="_blank" rel="noopener">
                <img
                  className="h-28 w-auto"
                  src={pictureUrl(id)}
                  alt={`Attachment ${index + 1}`}
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

type Whole = ResponseOf<typeof readTicket>;

function useKeep() {
  const client = useQueryClient();
  return (ticket: Whole) => {
    client.setQueryData(ticketQuery(ticket.id).queryKey, ticket);
    void client.invalidateQueries({ queryKey: ticketsQuery().queryKey });
  };
}

function Thread({ ticket, now }: { ticket: Whole; now: string }) {
  const keep = useKeep();
  const close = useApiMutation(closeTicket, { onSuccess: keep });
  const { id, state } = ticket;
  const write = async ({ message, pictures }: Written) =>
    keep(await api(writeTicket, { params: { id }, body: { message, pictures } }, { showErrorMessage: false }));
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-5 text-small">
        <span className="text-muted num">{ticket.reference}</span>
        <Standing ticket={ticket} now={now} />
      </p>
      <ol className="grid gap-6 pb-8" aria-label="Conversation">
        {ticket.entries.map((entry) => (
          <Entry key={entry.id} entry={entry} now={now} />
        ))}
      </ol>
      <MessageForm label={state === 'closed' ? 'Reopen' : 'Reply'} button="Send" onSend={write} />
      {state !== 'closed' && (
        <p className="pt-3">
          <Button
            variant="quiet"
            wide
            busy={close.isPending}
            busyText="Closing…"
            onClick={() => close.mutate({ params: { id } })}
          >
            Mark as resolved
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
    <ErrorState title="Request not found" onRetry={() => void query.refetch()} busy={query.isFetching} />
  ) : (
    <SkeletonRows count={3} />
  );
}

export function NewTicket({ onOpened }: { onOpened: (id: string) => void }) {
  const keep = useKeep();
  const [operations] = useState(() => createOperations());
  const send = async (body: Written) => {
    const options = { operationId: operations.idFor({ body }), showErrorMessage: false };
    try {
      const ticket = await api(openTicket, { body }, options);
      operations.succeeded({ body });
      keep(ticket);
      onOpened(ticket.id);
    } catch (error) {
      operations.failed({ body }, error);
      throw error;
    }
  };
  return <MessageForm hasSubject label="Your message" button="Contact support" onSend={send} />;
}
