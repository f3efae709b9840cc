import { deleteMessage } from '@stagedoor/contract/messaging/chat.ts';
import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import { useQueryClient } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { showToast } from '../../../../platform/feedback.ts';
import { api } from '../../../../platform/mutation.ts';
import { DayDivider } from '../../../../ui/bubble.tsx';
import { formatNodes } from '../../../../ui/format-nodes.ts';
import { Menu, type MenuAction } from '../../../../ui/menu.tsx';
import { applyRemoval, refreshConversation } from '../cache.ts';
import { useChatContext } from '../chat-parts.ts';
import { LazyConfirmDialog } from '../dialogs.tsx';
import * as texts from '../texts.ts';
import { MessageBody } from './message-body.tsx';
import { PendingBody } from './pending-body.tsx';
import type { ThreadRow } from './rows.ts';

/** The user's own message can be unsent until it is read or bought. */
function canUnsend(message: Message, isOwn: boolean): boolean {
  return isOwn && message.status !== 'read' && !message.isPurchased && message.type !== 'tipInfo' && !message.call;
}

function useActions(message: Message, isOwn: boolean) {
  const client = useQueryClient();
  const [dialogKind, setDialogKind] = useState<'delete' | 'unsend' | 'report'>();
  const { Report } = useChatContext();
  const [isBusy, setIsBusy] = useState(false);
  const { conversationId, id, revision } = message;
  const remove = async () => {
    if (conversationId === 'broadcast') return;
    setIsBusy(true);
    try {
      const query = { isUnsend: dialogKind === 'unsend' ? 'true' : 'false' };
      await api(deleteMessage, { params: { conversationId, messageId: id }, query });
      applyRemoval(client, conversationId, id, revision + 1);
      void refreshConversation(client, conversationId).catch(() => undefined);
    } catch {
      // The API call shows its own error. A message that was read in the meantime stays.
    } finally {
      setIsBusy(false);
      setDialogKind(undefined);
    }
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(message.text);
      void showToast(texts.copied);
    } catch {
      void showToast(texts.copyError, 'error');
    }
  };
  const items: MenuAction[] = [];
  if (message.text) items.push({ label: texts.copyText, icon: 'copy', onSelect: () => void copy() });
  if (canUnsend(message, isOwn))
    items.push({ label: texts.deleteForEveryone, icon: 'undo', danger: true, onSelect: () => setDialogKind('unsend') });
  if (!isOwn) items.push({ label: texts.report, icon: 'warning', onSelect: () => setDialogKind('report') });
  items.push({ label: texts.deleteForMe, icon: 'trash', danger: true, onSelect: () => setDialogKind('delete') });
  const close = () => setDialogKind(undefined);
  if (dialogKind === 'report')
    return { items, dialog: <Report userId={message.ownerId} messageId={id} onClose={close} /> };
  const dialog = dialogKind && (
    <LazyConfirmDialog
      open
      danger
      busy={isBusy}
      title={dialogKind === 'unsend' ? texts.deleteForEveryoneQuestion : texts.deleteForMeQuestion}
      lead={dialogKind === 'unsend' ? texts.deleteForBothConsequence : texts.deleteForMeConsequence}
      confirmText={dialogKind === 'unsend' ? texts.deleteForEveryone : 'Delete'}
      onOpenChange={(open) => !open && setDialogKind(undefined)}
      onConfirm={() => void remove()}
    />
  );
  return { items, dialog };
}

function MessageMenu({ message, isOwn }: { message: Message; isOwn: boolean }) {
  const { items, dialog } = useActions(message, isOwn);
  return (
    <span className="msg__acts">
      <Menu label={texts.messageActions} items={items} align={isOwn ? 'end' : 'start'} />
      {dialog}
    </span>
  );
}

export type MessageItemProps = {
  row: ThreadRow;
  zone: string;
  other: string;
  isNewestLocked: boolean;
  isFound: boolean;
  search: string | undefined;
  below?: React.ReactNode;
  hasMenu?: boolean;
};

function PlainMessageItem({
  row,
  zone,
  other,
  isNewestLocked,
  isFound,
  search,
  below,
  hasMenu = true,
}: MessageItemProps) {
  const { message, entry, isOwn, isLast, day, isFirstUnread } = row;
  const [isPicked, setIsPicked] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a touch shows the button that the keyboard reaches anyway
    <div
      className="msg"
      data-me={isOwn ? '' : undefined}
      data-last={isLast ? '' : undefined}
      data-found={isFound ? '' : undefined}
      data-picked={isPicked ? '' : undefined}
      data-message={message?.id}
      onClick={() => setIsPicked((was) => !was)}
    >
      {day && <DayDivider>{day}</DayDivider>}
      {isFirstUnread && <p className="day--new">{texts.newMessagesDivider}</p>}
      <div className="msg__line">
        {message && (
          <>
            <MessageBody
              message={message}
              isOwn={isOwn}
              isLast={isLast}
              isNewestLocked={isNewestLocked}
              sender={isOwn ? texts.you : other}
              other={other}
              zone={zone}
              search={search}
              delivery={isOwn ? message.status : undefined}
            />
            {hasMenu && <MessageMenu message={message} isOwn={isOwn} />}
          </>
        )}
        {entry && <PendingBody entry={entry} isLast={isLast} zone={zone} />}
      </div>
      {message?.teamAuthor && (
        <p className="msg__by">
          {formatNodes(texts.byTeamMember, {
            member: <bdi>{message.teamAuthor.member ?? message.teamAuthor.name}</bdi>,
          })}
        </p>
      )}
      {below}
    </div>
  );
}

export const MessageItem = memo(PlainMessageItem, (before, after) => {
  const [one, other] = [before.row, after.row];
  return (
    one.message === other.message &&
    one.entry === other.entry &&
    one.isLast === other.isLast &&
    one.day === other.day &&
    one.isFirstUnread === other.isFirstUnread &&
    before.zone === after.zone &&
    before.other === after.other &&
    before.isNewestLocked === after.isNewestLocked &&
    before.isFound === after.isFound &&
    before.search === after.search &&
    before.below === after.below
  );
});
