import { viewChatMedia } from '@stagedoor/contract/messaging/chat.ts';
import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, Suspense, useRef } from 'react';
import { isolateText } from '../../../../platform/bidi.ts';
import { formatCallDuration } from '../../../../platform/dates.ts';
import { lazyPart } from '../../../../platform/lazy-part.ts';
import { api } from '../../../../platform/mutation.ts';
import { Bubble, BubbleTime, type DeliveryStatus } from '../../../../ui/bubble.tsx';
import { Button } from '../../../../ui/button.tsx';
import { ReceiptCard } from '../../../../ui/definition-list.tsx';
import { Icon, type IconName } from '../../../../ui/icon.tsx';
import { OwnedDot } from '../../../../ui/label.tsx';
import { applyMessage } from '../cache.ts';
import { formatCallTitle, formatFiles, formatOwnPrice } from '../chat-labels.ts';
import { useChatContext } from '../chat-parts.ts';
import * as texts from '../texts.ts';
import { formatClockTime } from '../time-format.ts';
import { MessageDocuments, VoiceMessage } from './files.tsx';
import { useFirstLayout } from './first-layout.ts';
import { MessageMedia } from './message-media.tsx';
import { isEmojiOnly, MessageText } from './message-text.tsx';
import { isLocked, UnlockedSummary, UnlockMessageButton } from './unlock.tsx';

const ViewOnce = lazyPart(async () => (await import('./view-once.tsx')).ViewOnce);

export type MessageBodyProps = {
  message: Message;
  isOwn: boolean;
  isLast: boolean;
  isNewestLocked: boolean;
  sender: string;
  other: string;
  zone: string;
  search: string | undefined;
  delivery: DeliveryStatus | undefined;
};

type TextBubbleProps = Pick<ComponentProps<typeof Bubble>, 'me' | 'last' | 'failed'> &
  Pick<MessageBodyProps, 'sender'> & { text: string; mark?: string | undefined; at: ReactNode };

/** Pending and sent texts have the same appearance and size. */
export function TextBubble({ text, mark, at, sender, ...bubble }: TextBubbleProps) {
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

function TipMessage({ message, isOwn, isLast, sender, other, zone, delivery }: MessageBodyProps) {
  const { tip } = message;
  if (!tip) return null;
  return (
    <Bubble me={isOwn} last={isLast} kind="card">
      <ReceiptCard
        title={
          isOwn
            ? formatText(texts.tipTo, { recipient: isolateText(other) })
            : formatText(texts.tipFrom, { sender: isolateText(sender) })
        }
        status={isOwn ? texts.paid : texts.received}
        amount={formatUsd(tip.amount)}
        end={<BubbleTime time={formatClockTime(message.createdAt, zone)} delivery={delivery} />}
      />
      {tip.note && (
        <p dir="auto" className="pt-2 whitespace-pre-line wrap-anywhere">
          <MessageText text={tip.note} />
        </p>
      )}
    </Bubble>
  );
}

function CallMessage({ message, isOwn, isLast, zone }: MessageBodyProps) {
  const { isOwner, openReceipt, side } = useChatContext();
  const { call } = message;
  if (!call) return null;
  return (
    <Bubble me={isOwn} last={isLast} kind="card">
      <ReceiptCard
        icon={call.kind === 'video' ? 'video' : 'phone'}
        title={formatCallTitle(call, side)}
        status={formatClockTime(message.createdAt, zone)}
        {...(call.durationSeconds > 0 && {
          line: formatCallDuration(call.durationSeconds),
          lineEnd: formatUsd(call.amount),
        })}
      />
      {isOwner && (
        <button type="button" className="link min-h-11 text-small" onClick={() => openReceipt(call.callLogId)}>
          {call.durationSeconds > 0 ? texts.receipt : texts.details}
        </button>
      )}
    </Bubble>
  );
}

function MediaStatus({ message, isOwn }: { message: Message; isOwn: boolean }) {
  const { price, isPurchased, isViewOnce, viewedAt, isRemoved } = message;
  if (!isOwn)
    return isPurchased && price > 0 ? (
      <p className="num px-3.5 pt-2 text-small">
        <OwnedDot>{formatText(texts.unlockedFor, { price: formatUsd(price) })}</OwnedDot>
      </p>
    ) : null;
  const statusParts = [
    price > 0 ? formatOwnPrice(message) : undefined,
    isRemoved ? undefined : viewedAt ? texts.opened : isViewOnce ? texts.viewOnce : undefined,
  ].filter(Boolean);
  if (statusParts.length === 0) return null;
  return <StatusLine icon={price > 0 ? (isPurchased ? 'check' : 'lock') : 'eye'} text={statusParts.join(' · ')} />;
}

export function StatusLine({ icon, text }: { icon: IconName; text: string }) {
  return (
    <p className="flex items-center gap-2 px-3.5 pt-2 text-small text-muted">
      <Icon name={icon} size={16} />
      <span className="num whitespace-normal">{text}</span>
    </p>
  );
}

export function BubbleFooter({ text, mark, at }: { text: string; mark?: string | undefined; at: ReactNode }) {
  return (
    <p className={text ? 'bubble__foot' : 'bubble__foot bubble__foot--bare'} dir="auto">
      {text && <MessageText text={text} mark={mark} />}
      {at}
    </p>
  );
}

function UnavailableMedia({ message }: { message: Message }) {
  return (
    <div className="file text-muted">
      <Icon name="eye-off" />
      <span>{message.isViewOnce ? texts.viewedOnce : texts.noLongerAvailable}</span>
    </div>
  );
}

type MessageFilesProps = Pick<MessageBodyProps, 'message' | 'isOwn' | 'sender'> & { wasLocked: boolean };

function MessageFiles({ message, isOwn, sender, wasLocked }: MessageFilesProps) {
  const count = message.media.length + message.pendingMedia;
  const hadMedia = useFirstLayout('hasMedia', message.id, count > 0);
  if (message.isRemoved) return <UnavailableMedia message={message} />;
  if (message.isViewOnce && !isOwn && !wasLocked)
    return (
      <Suspense fallback={<div className="file">{formatFiles(message)}</div>}>
        <ViewOnce message={message} name={sender} />
      </Suspense>
    );
  const files = (
    <>
      {(hadMedia || count > 0) && <MessageMedia message={message} name={sender} />}
      <MessageDocuments documents={message.documents} />
      {message.voice && <VoiceMessage voice={message.voice} name={sender} />}
    </>
  );
  return message.isPurchased && !message.isViewOnce && !isOwn ? (
    <FirstViewReporter message={message}>{files}</FirstViewReporter>
  ) : (
    files
  );
}

/** Reports the first press or playback of bought media as viewed (row E7). */
function FirstViewReporter({ message, children }: { message: Message; children: ReactNode }) {
  const client = useQueryClient();
  const isReported = useRef(false);
  const reportViewed = () => {
    if (message.viewedAt || isReported.current) return;
    isReported.current = true;
    api(viewChatMedia, { params: { id: message.id } }, { showErrorMessage: false }).then(
      ({ data }) => applyMessage(client, data),
      () => {
        isReported.current = false;
      },
    );
  };
  return (
    <div className="contents" onClickCapture={reportViewed} onPlayCapture={reportViewed}>
      {children}
    </div>
  );
}

function MediaBubble(props: MessageBodyProps) {
  const { message, isOwn, isLast, isNewestLocked, sender, zone, delivery, search } = props;
  const locked = isLocked(message, isOwn);
  // An unlocked message keeps the layout of a locked one until the thread is opened again.
  const wasLocked = useFirstLayout('isLocked', message.id, locked);
  const isTwoPart = locked || (wasLocked && !message.isRemoved);
  const at = <BubbleTime time={formatClockTime(message.createdAt, zone)} delivery={delivery} />;
  return (
    <Bubble me={isOwn} last={isLast} kind="media">
      <span className="sr-only">
        {sender}: {formatFiles(message)}
      </span>
      <MessageFiles message={message} isOwn={isOwn} sender={sender} wasLocked={isTwoPart} />
      {!isTwoPart && <MediaStatus message={message} isOwn={isOwn} />}
      {isTwoPart && (
        <div className="bubble__in pb-1!">
          {message.text && (
            <p dir="auto" className="whitespace-pre-line wrap-anywhere">
              <MessageText text={message.text} mark={search} />
            </p>
          )}
          <p className="text-small text-muted">{formatFiles(message)}</p>
          {locked ? (
            <UnlockMessageButton message={message} isNewest={isNewestLocked} />
          ) : (
            <UnlockedSummary
              message={message}
              open={message.isViewOnce && <OpenOnceButton message={message} name={sender} />}
            />
          )}
        </div>
      )}
      <BubbleFooter text={isTwoPart ? '' : message.text} mark={search} at={at} />
    </Bubble>
  );
}

function OpenOnceButton({ message, name }: { message: Message; name: string }) {
  return (
    <Suspense
      fallback={
        <Button wide disabled>
          {texts.open}
        </Button>
      }
    >
      <ViewOnce message={message} name={name} isButton />
    </Suspense>
  );
}

export function MessageBody(props: MessageBodyProps) {
  const { message, isOwn, isLast, search, zone, delivery, sender } = props;
  const { type } = message;
  if (type === 'text') {
    const at = <BubbleTime time={formatClockTime(message.createdAt, zone)} delivery={delivery} />;
    return <TextBubble text={message.text} mark={search} at={at} sender={sender} me={isOwn} last={isLast} />;
  }
  if (type === 'tipInfo') return <TipMessage {...props} />;
  if (type === 'videoCallInfo') return <CallMessage {...props} />;
  return <MediaBubble {...props} />;
}
