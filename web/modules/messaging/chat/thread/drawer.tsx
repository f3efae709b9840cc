import { getFollowingCounts, listFollowing } from '@stagedoor/contract/content/profiles.ts';
import { deleteConversation } from '@stagedoor/contract/messaging/chat.ts';
import { muteUnmuteConversation, saveConversationNote } from '@stagedoor/contract/messaging/chat-settings.ts';
import type { ChatSide, Conversation } from '@stagedoor/contract/messaging/messages.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { isolateText } from '../../../../platform/bidi.ts';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { routeKey } from '../../../../platform/query.ts';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { Avatar } from '../../../../ui/avatar.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Switch } from '../../../../ui/choice.tsx';
import { ConfirmDialog, Drawer } from '../../../../ui/dialog.tsx';
import { TextAreaField } from '../../../../ui/field.tsx';
import { VerifiedName } from '../../../../ui/label.tsx';
import { applyDeletion, conversationQuery, updateConversation } from '../cache.ts';
import { useChatContext } from '../chat-parts.ts';
import { getOtherUser, isMutedBy } from '../model.ts';
import * as texts from '../texts.ts';
import { SharedMedia } from './shared-media.tsx';
import { useBlock } from './use-block.ts';

function NoteField({ id, note }: { id: string; note: string }) {
  const client = useQueryClient();
  const [text, setText] = useState(note);
  const save = useApiMutation(saveConversationNote, {
    onSuccess: (response) =>
      client.setQueryData(conversationQuery(id).queryKey, (detail) => detail && { ...detail, note: response.note }),
  });
  const isChanged = text.trim() !== note.trim();
  useUnsavedChanges(isChanged, save.isPending);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ params: { id }, body: { note: text } });
      }}
    >
      <TextAreaField
        label={texts.privateNote}
        hint={texts.privateNoteHint}
        rows={3}
        value={text}
        counter={CHAT_LIMITS.noteLength}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className="pt-2">
        <Button
          type="submit"
          disabled={!isChanged || text.length > CHAT_LIMITS.noteLength}
          busy={save.isPending}
          busyText={texts.saving}
        >
          {isChanged || !save.isSuccess ? texts.saveNote : texts.saved}
        </Button>
      </div>
    </form>
  );
}

function Mute({ conversation }: { conversation: Conversation }) {
  const client = useQueryClient();
  const { side } = useChatContext();
  const mute = useApiMutation(muteUnmuteConversation, {
    onSuccess: ({ isMuted }) => {
      updateConversation(client, conversation.id, (current) => ({
        ...current,
        ...(side === 'creator' ? { isMutedCreator: isMuted } : { isMutedCustomer: isMuted }),
      }));
      for (const route of [listFollowing, getFollowingCounts])
        void client.invalidateQueries({ queryKey: routeKey(route) });
    },
  });
  return (
    <Switch
      row
      label={texts.mute}
      hint={texts.muteHint}
      checked={isMutedBy(conversation, side)}
      disabled={mute.isPending}
      onChange={(event) =>
        mute.mutate({ params: { id: conversation.id }, body: { isMuted: event.currentTarget.checked } })
      }
    />
  );
}

/** Unblocking does not restore the follow. */
const BLOCK_LEADS: Record<ChatSide, string> = {
  fan: texts.blockCreatorConsequence,
  creator: texts.blockFanConsequence,
};

function Block({ conversation, name }: { conversation: Conversation; name: string }) {
  const { side } = useChatContext();
  const { block, isPending } = useBlock(conversation);
  const [isConfirming, setIsConfirming] = useState(false);
  const { isBlockedByMe } = conversation.info;
  if (isBlockedByMe)
    return (
      <Button icon="block" busy={isPending} busyText={texts.working} onClick={() => block(false)}>
        {formatText(texts.unblockUser, { name })}
      </Button>
    );
  return (
    <>
      <Button
        variant="danger"
        icon="block"
        busy={isPending}
        busyText={texts.working}
        onClick={() => setIsConfirming(true)}
      >
        {texts.block}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        danger
        title={formatText(texts.blockQuestion, { name: isolateText(name) })}
        lead={BLOCK_LEADS[side]}
        confirmText={texts.block}
        onOpenChange={setIsConfirming}
        onConfirm={() => {
          block(true);
          setIsConfirming(false);
        }}
      />
    </>
  );
}

function Delete({ id, name }: { id: string; name: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { base, side } = useChatContext();
  const purchaseNote = side === 'fan' ? texts.purchasesStayNote : '';
  const [isConfirming, setIsConfirming] = useState(false);
  const remove = useApiMutation(deleteConversation, {
    onSuccess: () => {
      applyDeletion(client, id);
      void navigate(base, { replace: true });
    },
  });
  return (
    <>
      <Button variant="danger" icon="trash" onClick={() => setIsConfirming(true)}>
        {texts.deleteChat}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        danger
        busy={remove.isPending}
        title={texts.deleteChatQuestion}
        lead={formatText(texts.deleteChatConsequence, { name: isolateText(name), purchaseNote })}
        confirmText="Delete"
        onOpenChange={setIsConfirming}
        onConfirm={() => remove.mutate({ params: { id } })}
      />
    </>
  );
}

export function ConversationDrawer({
  conversation,
  open,
  onOpenChange,
}: {
  conversation: Conversation;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { side, isOwner, ReportUser } = useChatContext();
  const detail = useQuery(conversationQuery(conversation.id)).data;
  const other = getOtherUser(conversation, side);
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title={texts.details}>
      <div className="grid gap-7 pb-6">
        <div className="flex items-center gap-4">
          <Avatar name={other.name} src={other.avatarUrl} size="l" />
          <div className="min-w-0">
            <VerifiedName verified={other.isVerified} {...(side === 'fan' && { href: profilePath(other.username) })}>
              {other.name}
            </VerifiedName>
            <p className="one-line text-note text-muted">@{other.username}</p>
          </div>
        </div>
        {detail?.isAllowNote && <NoteField key={conversation.id} id={conversation.id} note={detail.note ?? ''} />}
        <Mute conversation={conversation} />
        <SharedMedia id={conversation.id} name={other.name} onLeave={() => onOpenChange(false)} />
        <div className="flex flex-wrap gap-3">
          <ReportUser user={other} />
          {isOwner && (
            <>
              <Block conversation={conversation} name={other.name} />
              <Delete id={conversation.id} name={other.name} />
            </>
          )}
        </div>
      </div>
    </Drawer>
  );
}
