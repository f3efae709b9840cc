/** Marks fans who appear to be someone this creator blocked, in lists and above the conversation. */
import { conversationList, getConversation } from '@stagedoor/contract/chat.ts';
import { seemBlocked } from '@stagedoor/contract/seems-blocked.ts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiQuery, routeKey } from '../../kernel/query.ts';
import { Icon } from '../../ui/icon.tsx';
import { BlockWords } from './block-button.tsx';

const seemsQuery = (ids: readonly string[]) => apiQuery(seemBlocked, { query: { ids: ids.join() } });

/** Empty until the result is known, and when it is not available. */
export function useSeemBlocked(ids: readonly string[]): ReadonlySet<string> {
  const { data } = useQuery({ ...seemsQuery(ids), enabled: ids.length > 0, placeholderData: keepPreviousData });
  return new Set(data?.ids);
}

export function SeemsWords() {
  return (
    <p className="flex items-center gap-2 pt-1 text-small text-ink">
      <Icon name="warning" size={16} />
      May be someone you blocked
    </p>
  );
}

function SeemsLine({ person }: { person: { id: string; name: string } }) {
  const client = useQueryClient();
  const seems = useSeemBlocked([person.id]);
  if (!seems.has(person.id)) return null;
  return (
    <div
      className="flex flex-wrap items-center justify-between gap-x-4 border-line border-b px-3 py-1 lg:px-6"
      role="status"
    >
      <SeemsWords />
      <BlockWords
        person={person}
        onBlocked={() => {
          for (const route of [seemBlocked, getConversation, conversationList])
            void client.invalidateQueries({ queryKey: routeKey(route) });
        }}
      />
    </div>
  );
}

const ASKED_AT_ONCE = 50;

function around(id: string, ids: readonly string[]): readonly string[] {
  const first = Math.floor(ids.indexOf(id) / ASKED_AT_ONCE) * ASKED_AT_ONCE;
  return ids.slice(first, first + ASKED_AT_ONCE);
}

function Instead({ id, ids, children }: { id: string; ids: readonly string[]; children: ReactNode }) {
  const seems = useSeemBlocked(around(id, ids));
  if (!seems.has(id)) return children;
  return (
    <span className="talk-row__line flex items-center gap-2" data-strong="">
      <Icon name="warning" size={16} />
      <span className="one-line">May be someone you blocked</span>
    </span>
  );
}

export type SeemsProps = {
  person: { id: string; name: string };
  among?: readonly { customer: { id: string } }[] | undefined;
  children?: ReactNode;
};

export function Seems({ person, among, children }: SeemsProps) {
  if (!among) return <SeemsLine person={person} />;
  return (
    <Instead id={person.id} ids={among.map(({ customer }) => customer.id)}>
      {children}
    </Instead>
  );
}
