/**
 * View-once media (docs/product.md, Terms). The user confirms before opening. Closing is final, and played media closes
 * a minute after playback. The server decides. Leaving the page or thread also closes it.
 */

import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import { closeViewOnce, openViewOnce } from '@stagedoor/contract/chat.ts';
import type { Message } from '@stagedoor/contract/messages.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isolated } from '../../../kernel/bidi.ts';
import { api } from '../../../kernel/mutation.ts';
import { pictureProps } from '../../../kernel/pictures.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { Progress } from '../../../ui/states.tsx';
import { takeMessage } from '../cache.ts';
import { Dialog } from '../dialogs.tsx';
import { useParts } from '../parts.ts';
import { filesOf } from '../words.ts';
import { Documents, Voice } from './files.tsx';

function Countdown({ onEnd }: { onEnd: () => void }) {
  const [left, setLeft] = useState<number>(CHAT_LIMITS.viewOnceSeconds);
  useEffect(() => {
    const end = performance.now() + CHAT_LIMITS.viewOnceSeconds * 1_000;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((end - performance.now()) / 1_000));
      setLeft(rest);
      if (rest === 0) onEnd();
    }, 250);
    return () => clearInterval(timer);
  }, [onEnd]);
  return (
    <Progress label="Disappears automatically" value={left} max={CHAT_LIMITS.viewOnceSeconds} text={`${left} s`} />
  );
}

function Opened({ message, name, onClose }: { message: Message; name: string; onClose: () => void }) {
  const { Player } = useParts();
  const toPlay = message.media.filter(({ kind }) => kind !== 'picture').length + (message.voice ? 1 : 0);
  const played = useRef(new Set<EventTarget>());
  const [isPlayed, setIsPlayed] = useState(toPlay === 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears what inside is played
    <div
      className="grid gap-3"
      onPlayCapture={() => setIsPlayed(false)}
      onEndedCapture={({ target }) => setIsPlayed(played.current.add(target).size >= toPlay)}
      onContextMenu={(event) => event.preventDefault()}
    >
      {message.media.map((item) =>
        item.isLocked ? null : item.kind === 'picture' ? (
          <Picture
            key={item.id}
            {...pictureProps(item.picture, '560px', { fit: 'contain', priority: true })}
            alt={`View-once photo from ${name}`}
            className="max-h-[70dvh]"
          />
        ) : (
          <Player key={item.id} media={item} title={`a view-once video from ${name}`} artist={name} ratio="16 / 9" />
        ),
      )}
      <Documents documents={message.documents} />
      {message.voice && <Voice voice={message.voice} name={name} />}
      <p className="text-small text-muted">It disappears when you close it.</p>
      {isPlayed && <Countdown onEnd={onClose} />}
      <Button wide onClick={onClose}>
        Close
      </Button>
    </div>
  );
}

export function ViewOnce({ message, name, isButton = false }: { message: Message; name: string; isButton?: boolean }) {
  const client = useQueryClient();
  const [opened, setOpened] = useState<Message>();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { id } = message;

  const open = async () => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      const { data } = await api(openViewOnce, { params: { id } }, { showErrorMessage: false });
      setOpened(data);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'Couldn’t open it.');
    } finally {
      setIsBusy(false);
    }
  };
  const isOpen = opened !== undefined;
  const isUnclosed = useRef(false);
  const close = useCallback(() => {
    isUnclosed.current = false;
    setOpened(undefined);
    api(closeViewOnce, { params: { id } }).then(
      ({ data }) => takeMessage(client, data),
      () => undefined,
    );
  }, [client, id]);

  // Unmounting closes the media only when the page or thread was left, not when it was laid out again.
  useEffect(() => {
    if (!isOpen) return;
    isUnclosed.current = true;
    const { pathname } = location;
    const leave = () => {
      isUnclosed.current = false;
      void fetch(`/api${closeViewOnce.path.replace(':id', id)}`, {
        method: 'POST',
        keepalive: true,
        credentials: 'include',
      });
    };
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      if (isUnclosed.current && location.pathname !== pathname) leave();
    };
  }, [isOpen, id]);

  const button = (
    <Button
      wide={isButton}
      onClick={() => void open()}
      busy={isBusy}
      busyText="Opening…"
      disabled={message.pendingMedia > 0}
    >
      Open
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
            <span className="block font-semibold">{filesOf(message)}</span>
            <span className="text-small text-muted">View once</span>
          </span>
          {button}
        </div>
      )}
      {failure && (
        <p role="alert" className="px-3.5 pb-3 text-small text-danger">
          {failure}
        </p>
      )}
      <Dialog
        open={isOpen}
        onOpenChange={(next) => !next && close()}
        title={`From ${isolated(name)}`}
        step="View once"
        width={600}
      >
        {opened && <Opened message={opened} name={name} onClose={close} />}
      </Dialog>
    </>
  );
}
