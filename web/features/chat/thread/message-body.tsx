import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { viewChatMedia } from '@stagedoor/contract/chat.ts';
import type { Message } from '@stagedoor/contract/messages.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, Suspense, useRef } from 'react';
import { isolated } from '../../../kernel/bidi.ts';
import { formatTalk } from '../../../kernel/dates.ts';
import { lazyPart } from '../../../kernel/lazy-part.ts';
import { api } from '../../../kernel/mutation.ts';
import { At, Bubble, type Delivery } from '../../../ui/bubble.tsx';
import { Button } from '../../../ui/button.tsx';
import { Slip } from '../../../ui/facts.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { YoursDot } from '../../../ui/label.tsx';
import { takeMessage } from '../cache.ts';
import { timeOf } from '../clock.ts';
import { useParts } from '../parts.ts';
import { filesOf } from '../words.ts';
import { Documents, Voice } from './files.tsx';
import { useFirstLayout } from './first-layout.ts';
import { isEmojiOnly, MessageText } from './links.tsx';
import { MessageShots } from './shots.tsx';
import { isLocked, Unlock, Unlocked } from './unlock.tsx';

const ViewOnce = lazyPart(async () => (await import('./view-once.tsx')).ViewOnce);

export type BodyProps = {
  message: Message;
  isOwn: boolean;
  isLast: boolean;
  isNewestLocked: boolean;
  sender: string;
  other: string;
  zone: string;
  search: string | undefined;
  delivery: Delivery | undefined;
};

type WordsProps = Pick<ComponentProps<typeof Bubble>, 'me' | 'last' | 'failed'> &
  Pick<BodyProps, 'sender'> & { text: string; mark?: string | undefined; at: ReactNode };

/** Pending and sent texts have the same appearance and size. */
export function Words({ text, mark, at, sender, ...bubble }: WordsProps) {
  if (isEmojiOnly(text))
    return (
      <div className="large">
        <span>
          <span className="sr-only">{sender}: </span>
          {text.trim()}
        </span>
        {at}
      </div>
    );
  return (
    <Bubble {...bubble} dir="auto">
      <span className="sr-only">{sender}: </span>
      <MessageText text={text} mark={mark} />
      {at}
    </Bubble>
  );
}

function Tip({ message, isOwn, isLast, sender, other, zone, delivery }: BodyProps) {
  const { tip } = message;
  if (!tip) return null;
  return (
    <Bubble me={isOwn} last={isLast} kind="slip">
      <Slip
        title={isOwn ? `Tip to ${isolated(other)}` : `Tip from ${isolated(sender)}`}
        word={isOwn ? 'Paid' : 'Received'}
        amount={formatUsd(tip.amount)}
        end={<At time={timeOf(message.createdAt, zone)} delivery={delivery} />}
      />
      {tip.note && (
        <p dir="auto" className="pt-2 whitespace-pre-line">
          {tip.note}
        </p>
      )}
    </Bubble>
  );
}

function Call({ message, isOwn, isLast, zone }: BodyProps) {
  const { isOwner, openReceipt } = useParts();
  const { call } = message;
  if (!call) return null;
  const kind = call.kind === 'video' ? 'Video call' : 'Call';
  return (
    <Bubble me={isOwn} last={isLast} kind="slip">
      <Slip
        icon={call.kind === 'video' ? 'video' : 'phone'}
        title={call.durationSeconds > 0 ? `${kind} ended` : `Unanswered ${kind.toLowerCase()}`}
        word={timeOf(message.createdAt, zone)}
        {...(call.durationSeconds > 0 && {
          line: formatTalk(call.durationSeconds),
          lineEnd: formatUsd(call.amount),
        })}
      />
      {isOwner && (
        <button type="button" className="link min-h-11 text-small" onClick={() => openReceipt(call.callLogId)}>
          {call.durationSeconds > 0 ? 'Receipt' : 'Details'}
        </button>
      )}
    </Bubble>
  );
}

function MediaState({ message, isOwn }: { message: Message; isOwn: boolean }) {
  const { price, isPurchased, isViewOnce, viewedAt, isRemoved } = message;
  if (!isOwn)
    return isPurchased && price > 0 ? (
      <p className="num px-3.5 pt-2 text-small">
        <YoursDot>{`Unlocked · ${formatUsd(price)}`}</YoursDot>
      </p>
    ) : null;
  const words = [
    price > 0 ? `${formatUsd(price)}, ${isPurchased ? 'unlocked' : 'not unlocked yet'}` : undefined,
    isRemoved ? undefined : viewedAt ? 'Opened' : isViewOnce ? 'View once' : undefined,
  ].filter(Boolean);
  if (words.length === 0) return null;
  return <StateLine icon={price > 0 ? (isPurchased ? 'check' : 'lock') : 'eye'} words={words.join(' · ')} />;
}

export function StateLine({ icon, words }: { icon: IconName; words: string }) {
  return (
    <p className="flex items-center gap-2 px-3.5 pt-2 text-small text-muted">
      <Icon name={icon} size={16} />
      <span className="num whitespace-normal">{words}</span>
    </p>
  );
}

export function Foot({ text, mark, at }: { text: string; mark?: string | undefined; at: ReactNode }) {
  return (
    <p className={text ? 'bubble__foot' : 'bubble__foot py-0.5!'} dir="auto">
      {text && <MessageText text={text} mark={mark} />}
      {at}
    </p>
  );
}

function Gone({ message }: { message: Message }) {
  return (
    <div className="file text-muted">
      <Icon name="eye-off" />
      <span>{message.isViewOnce ? 'Viewed once' : 'No longer available'}</span>
    </div>
  );
}

type FilesProps = Pick<BodyProps, 'message' | 'isOwn' | 'sender'> & { wasLocked: boolean };

function Files({ message, isOwn, sender, wasLocked }: FilesProps) {
  const count = message.media.length + message.pendingMedia;
  const hadShots = useFirstLayout('hasShots', message.id, count > 0);
  if (message.isRemoved) return <Gone message={message} />;
  if (message.isViewOnce && !isOwn && !wasLocked)
    return (
      <Suspense fallback={<div className="file">{filesOf(message)}</div>}>
        <ViewOnce message={message} name={sender} />
      </Suspense>
    );
  const files = (
    <>
      {(hadShots || count > 0) && <MessageShots message={message} name={sender} />}
      <Documents documents={message.documents} />
      {message.voice && <Voice voice={message.voice} name={sender} />}
    </>
  );
  return message.isPurchased && !message.isViewOnce && !isOwn ? <Bought message={message}>{files}</Bought> : files;
}

/** Reports the first press or playback of bought media as viewed (row E7). */
function Bought({ message, children }: { message: Message; children: ReactNode }) {
  const client = useQueryClient();
  const isSaid = useRef(false);
  const say = () => {
    if (message.viewedAt || isSaid.current) return;
    isSaid.current = true;
    api(viewChatMedia, { params: { id: message.id } }, { showErrorMessage: false }).then(
      ({ data }) => takeMessage(client, data),
      () => {
        isSaid.current = false;
      },
    );
  };
  return (
    <div className="contents" onClickCapture={say} onPlayCapture={say}>
      {children}
    </div>
  );
}

function MediaBubble(props: BodyProps) {
  const { message, isOwn, isLast, isNewestLocked, sender, zone, delivery, search } = props;
  const locked = isLocked(message, isOwn);
  // An unlocked message keeps the layout of a locked one until the thread is opened again.
  const wasLocked = useFirstLayout('isLocked', message.id, locked);
  const isTwoPart = locked || (wasLocked && !message.isRemoved);
  const at = <At time={timeOf(message.createdAt, zone)} delivery={delivery} />;
  return (
    <Bubble me={isOwn} last={isLast} kind="media">
      <span className="sr-only">
        {sender}: {filesOf(message)}
      </span>
      <Files message={message} isOwn={isOwn} sender={sender} wasLocked={isTwoPart} />
      {!isTwoPart && <MediaState message={message} isOwn={isOwn} />}
      {isTwoPart && (
        <div className="bubble__in pb-1!">
          {message.text && (
            <p dir="auto" className="whitespace-pre-line wrap-anywhere">
              <MessageText text={message.text} mark={search} />
            </p>
          )}
          <p className="text-small text-muted">{filesOf(message)}</p>
          {locked ? (
            <Unlock message={message} isNewest={isNewestLocked} />
          ) : (
            <Unlocked message={message} open={message.isViewOnce && <OpenOnce message={message} name={sender} />} />
          )}
        </div>
      )}
      <Foot text={isTwoPart ? '' : message.text} mark={search} at={at} />
    </Bubble>
  );
}

function OpenOnce({ message, name }: { message: Message; name: string }) {
  return (
    <Suspense
      fallback={
        <Button wide disabled>
          Open
        </Button>
      }
    >
      <ViewOnce message={message} name={name} isButton />
    </Suspense>
  );
}

export function MessageBody(props: BodyProps) {
  const { message, isOwn, isLast, search, zone, delivery, sender } = props;
  const { type } = message;
  if (type === 'text') {
    const at = <At time={timeOf(message.createdAt, zone)} delivery={delivery} />;
    return <Words text={message.text} mark={search} at={at} sender={sender} me={isOwn} last={isLast} />;
  }
  if (type === 'tipInfo') return <Tip {...props} />;
  if (type === 'videoCallInfo') return <Call {...props} />;
  return <MediaBubble {...props} />;
}
