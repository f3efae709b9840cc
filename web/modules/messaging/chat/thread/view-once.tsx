/**
 * View-once media (docs/product.md, Terms). The user confirms before opening. Closing is final, and played media closes
 * a minute after playback. The server decides. Leaving the page or thread also closes it.
 */

import { closeViewOnce, openViewOnce } from '@stagedoor/contract/messaging/chat.ts';
import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isolateText } from '../../../../platform/bidi.ts';
import { api } from '../../../../platform/mutation.ts';
import { toPictureProps } from '../../../../platform/pictures.ts';
import { Button } from '../../../../ui/button.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { Picture } from '../../../../ui/picture.tsx';
import { Progress } from '../../../../ui/states.tsx';
import { applyMessage } from '../cache.ts';
import { formatFiles } from '../chat-labels.ts';
import { useChatContext } from '../chat-parts.ts';
import { LazyDialog } from '../dialogs.tsx';
import * as texts from '../texts.ts';
import { MessageDocuments, VoiceMessage } from './files.tsx';

function Countdown({ onEnd }: { onEnd: () => void }) {
  const [secondsLeft, setSecondsLeft] = useState<number>(CHAT_LIMITS.viewOnceSeconds);
  useEffect(() => {
    const end = performance.now() + CHAT_LIMITS.viewOnceSeconds * 1_000;
    const timer = setInterval(() => {
      const remaining = Math.max(0, Math.ceil((end - performance.now()) / 1_000));
      setSecondsLeft(remaining);
      if (remaining === 0) onEnd();
    }, 250);
    return () => clearInterval(timer);
  }, [onEnd]);
  return (
    <Progress
      label={texts.disappearsAutomatically}
      value={secondsLeft}
      max={CHAT_LIMITS.viewOnceSeconds}
      text={`${secondsLeft} s`}
    />
  );
}

function OpenedMedia({ message, name, onClose }: { message: Message; name: string; onClose: () => void }) {
  const { Player } = useChatContext();
  const playableCount = message.media.filter(({ kind }) => kind !== 'picture').length + (message.voice ? 1 : 0);
  const played = useRef(new Set<EventTarget>());
  const [isPlayed, setIsPlayed] = useState(playableCount === 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens for media events inside
    <div
      className="grid gap-3"
      onPlayCapture={() => setIsPlayed(false)}
      onEndedCapture={({ target }) => setIsPlayed(played.current.add(target).size >= playableCount)}
      onContextMenu={(event) => event.preventDefault()}
    >
      {message.media.map((item) =>
        item.isLocked ? null : item.kind === 'picture' ? (
          <Picture
            key={item.id}
            {...toPictureProps(item.picture, '560px', { fit: 'contain', priority: true })}
            alt={formatText(texts.viewOncePhotoFrom, { name })}
            className="max-h-[70dvh]"
          />
        ) : (
          <Player
            key={item.id}
            media={item}
            title={formatText(texts.viewOnceVideoFrom, { name })}
            artist={name}
            ratio="16 / 9"
          />
        ),
      )}
      <MessageDocuments documents={message.documents} />
      {message.voice && <VoiceMessage voice={message.voice} name={name} />}
      <p className="text-small text-muted">{texts.viewOnceCloseHint}</p>
      {isPlayed && <Countdown onEnd={onClose} />}
      <Button wide onClick={onClose}>
        {texts.close}
      </Button>
    </div>
  );
}

export function ViewOnce({ message, name, isButton = false }: { message: Message; name: string; isButton?: boolean }) {
  const client = useQueryClient();
  const [openedMessage, setOpenedMessage] = useState<Message>();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { id } = message;

  const open = async () => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      const { data } = await api(openViewOnce, { params: { id } }, { showErrorMessage: false });
      setOpenedMessage(data);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : texts.viewOnceOpenError);
    } finally {
      setIsBusy(false);
    }
  };
  const isOpen = openedMessage !== undefined;
  const needsClosing = useRef(false);
  const close = useCallback(() => {
    needsClosing.current = false;
    setOpenedMessage(undefined);
    api(closeViewOnce, { params: { id } }).then(
      ({ data }) => applyMessage(client, data),
      () => undefined,
    );
  }, [client, id]);

  // Unmounting closes the media only when the page or thread was left, not when it was laid out again.
  useEffect(() => {
    if (!isOpen) return;
    needsClosing.current = true;
    const { pathname } = location;
    const closeOnLeave = () => {
      needsClosing.current = false;
      void fetch(`/api${closeViewOnce.path.replace(':id', id)}`, {
        method: 'POST',
        keepalive: true,
        credentials: 'include',
      });
    };
    addEventListener('pagehide', closeOnLeave);
    return () => {
      removeEventListener('pagehide', closeOnLeave);
      if (needsClosing.current && location.pathname !== pathname) closeOnLeave();
    };
  }, [isOpen, id]);

  const button = (
    <Button
      wide={isButton}
      onClick={() => void open()}
      busy={isBusy}
      busyText={texts.opening}
      disabled={message.pendingMedia > 0}
    >
      {texts.open}
    </Button>
  );
  return (
    <>
      {isButton ? (
        button
      ) : (
        <div className="file">
          <Icon name="eye" />
          <span className="min-w-0">
            <span className="block font-semibold">{formatFiles(message)}</span>
            <span className="text-small text-muted">{texts.viewOnce}</span>
          </span>
          {button}
        </div>
      )}
      {failure && (
        <p role="alert" className="px-3.5 pb-3 text-small text-danger">
          {failure}
        </p>
      )}
      <LazyDialog
        open={isOpen}
        onOpenChange={(next) => !next && close()}
        title={formatText(texts.fromSender, { name: isolateText(name) })}
        step="View once"
        width={600}
      >
        {openedMessage && <OpenedMedia message={openedMessage} name={name} onClose={close} />}
      </LazyDialog>
    </>
  );
}
