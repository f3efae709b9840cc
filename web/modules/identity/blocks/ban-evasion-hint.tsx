/** Marks fans who appear to be someone this creator blocked, in lists and above the conversation. */

import { listBanEvasionHints } from '@stagedoor/contract/identity/ban-evasion.ts';
import { getConversation, getConversationList } from '@stagedoor/contract/messaging/chat.ts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiQuery, routeKey } from '../../../platform/query.ts';
import { Icon } from '../../../ui/icon.tsx';
import { BlockTextButton } from './block-button.tsx';
import * as texts from './texts.ts';

const banEvasionQuery = (ids: readonly string[]) => apiQuery(listBanEvasionHints, { query: { ids: ids.join() } });

/** Empty until the result is known, and when it is not available. */
export function useBanEvasionHints(ids: readonly string[]): ReadonlySet<string> {
  const { data } = useQuery({ ...banEvasionQuery(ids), enabled: ids.length > 0, placeholderData: keepPreviousData });
  return new Set(data?.ids);
}

export function BanEvasionLabel() {
  return (
    <p className="flex items-center gap-2 pt-1 text-small text-ink">
      <Icon name="warning" size={16} />
      {texts.maybeBlockedBefore}
    </p>
  );
}

function BanEvasionNotice({ user }: { user: { id: string; name: string } }) {
  const client = useQueryClient();
  const suspectedIds = useBanEvasionHints([user.id]);
  if (!suspectedIds.has(user.id)) return null;
  return (
    <div
      className="flex flex-wrap items-center justify-between gap-x-4 border-line border-b px-3 py-1 lg:px-6"
      role="status"
    >
      <BanEvasionLabel />
      <BlockTextButton
        user={user}
        onBlocked={() => {
          for (const route of [listBanEvasionHints, getConversation, getConversationList])
            void client.invalidateQueries({ queryKey: routeKey(route) });
        }}
      />
    </div>
  );
}

const IDS_PER_REQUEST = 50;

function getIdChunk(id: string, ids: readonly string[]): readonly string[] {
  const chunkStart = Math.floor(ids.indexOf(id) / IDS_PER_REQUEST) * IDS_PER_REQUEST;
  return ids.slice(chunkStart, chunkStart + IDS_PER_REQUEST);
}

function BanEvasionLabelOrChildren({ id, ids, children }: { id: string; ids: readonly string[]; children: ReactNode }) {
  const suspectedIds = useBanEvasionHints(getIdChunk(id, ids));
  if (!suspectedIds.has(id)) return children;
  return (
    <span className="talk-row__line flex items-center gap-2" data-strong="">
      <Icon name="warning" size={16} />
      <span className="one-line">{texts.maybeBlockedBefore}</span>
    </span>
  );
}

export type BanEvasionHintProps = {
  user: { id: string; name: string };
  conversations?: readonly { customer: { id: string } }[] | undefined;
  children?: ReactNode;
};

export function BanEvasionHint({ user, conversations, children }: BanEvasionHintProps) {
  if (!conversations) return <BanEvasionNotice user={user} />;
  return (
    <BanEvasionLabelOrChildren id={user.id} ids={conversations.map(({ customer }) => customer.id)}>
      {children}
    </BanEvasionLabelOrChildren>
  );
}
