import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatBytes } from '../../../../platform/bytes.ts';
import { formatDuration } from '../../../../platform/dates.ts';
import { Bubble, BubbleTime } from '../../../../ui/bubble.tsx';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { Progress } from '../../../../ui/states.tsx';
import { useChatContext } from '../chat-parts.ts';
import { toDraftKey } from '../composer/drafts.ts';
import { reopenEntry } from '../composer/reopen.ts';
import { usePreviews } from '../outbox/previews.ts';
import type { OutboxEntry } from '../outbox/queue.ts';
import { useOutbox, useUploadProgress } from '../outbox/use-outbox.ts';
import * as texts from '../texts.ts';
import { formatClockTime } from '../time-format.ts';
import { BubbleFooter, StatusLine, TextBubble } from './message-body.tsx';
import { MediaGrid, PreviewBox, toAspectRatio } from './message-media.tsx';

function PendingFiles({ entry }: { entry: OutboxEntry }) {
  const previews = usePreviews(entry.clientId, entry.files);
  const outbox = useOutbox();
  // One of several documents may have been refused. The others can be sent without it.
  const isRemovable = entry.state === 'failed' && entry.files.length > 1;
  const mediaFiles = entry.files.filter(({ kind }) => kind === 'picture' || kind === 'video');
  return (
    <>
      {mediaFiles.length > 0 && (
        <MediaGrid count={mediaFiles.length}>
          {mediaFiles.map(({ key, width, height }) => {
            const ratio = mediaFiles.length > 1 ? '1 / 1' : toAspectRatio(width, height);
            const preview = previews.find((each) => each.key === key);
            return preview ? (
              <PreviewBox key={key} preview={preview} ratio={ratio} />
            ) : (
              <span key={key} className="shot" style={{ aspectRatio: ratio }} />
            );
          })}
        </MediaGrid>
      )}
      {entry.files
        .filter(({ kind }) => kind === 'document' || kind === 'voice')
        .map(({ key, name, kind, blob }) => (
          <div key={key} className="file">
            <Icon name={kind === 'voice' ? 'mic' : 'document'} />
            {kind === 'voice' ? (
              <span>
                {formatText(texts.voiceMessageDuration, {
                  duration: formatDuration(entry.voice?.durationSeconds ?? 0),
                })}
              </span>
            ) : (
              <span className="min-w-0">
                <span className="block font-semibold wrap-anywhere" dir="auto">
                  {name}
                </span>
                <span className="num text-small text-muted">{formatBytes(blob.size)}</span>
              </span>
            )}
            {isRemovable && (
              <IconButton
                quiet
                icon="close"
                label={formatText(texts.removeFile, { fileName: name })}
                onClick={() => void outbox?.removeFile(entry.clientId, key)}
              />
            )}
          </div>
        ))}
    </>
  );
}

/** Covers the files, so that the message keeps its height when it is sent. */
function UploadProgress({ entry }: { entry: OutboxEntry }) {
  const outbox = useOutbox();
  const progress = useUploadProgress(entry.clientId);
  const percent = progress === undefined ? undefined : Math.round(progress * 100);
  return (
    <div className="uploading">
      <Progress
        label={percent === undefined ? texts.sendingWhenOnline : texts.uploading}
        value={percent ?? 0}
        text={percent === undefined ? '' : `${percent} %`}
      />
      <IconButton quiet icon="close" label={texts.cancel} onClick={() => void outbox?.discard(entry.clientId)} />
    </div>
  );
}

function Unsent({ entry }: { entry: OutboxEntry }) {
  const outbox = useOutbox();
  const { viewerId } = useChatContext();
  // The time of a scheduled broadcast may have passed, so it needs another one.
  const isScheduled = entry.target.kind === 'broadcast' && entry.target.scheduledAt !== undefined;
  const edit = () => {
    void reopenEntry(toDraftKey(viewerId, entry.thread), entry);
    void outbox?.discard(entry.clientId);
  };
  return (
    <div className="msg__fail" role="alert">
      <span>{entry.failure ?? texts.notSent}</span>
      {entry.state === 'failed' && (
        <Button variant="quiet" onClick={isScheduled ? edit : () => void outbox?.retry(entry.clientId)}>
          {isScheduled ? texts.edit : texts.retry}
        </Button>
      )}
      <Button variant="quiet" onClick={() => void outbox?.discard(entry.clientId)}>
        {texts.deleteButton}
      </Button>
    </div>
  );
}

export function PendingBody({ entry, isLast, zone }: { entry: OutboxEntry; isLast: boolean; zone: string }) {
  const hasFailed = entry.state === 'failed';
  const at = <BubbleTime time={formatClockTime(entry.createdAt, zone)} delivery={hasFailed ? 'failed' : 'sending'} />;
  const { text, price, isViewOnce } = entry;
  const labels = [price > 0 && formatUsd(price), isViewOnce && texts.viewOnce].filter(Boolean);
  return (
    <div className="grid w-full min-w-0 justify-items-end">
      {entry.files.length === 0 ? (
        <TextBubble text={text} at={at} sender={texts.you} me last={isLast} failed={hasFailed} />
      ) : (
        <Bubble me last={isLast} kind="media" failed={hasFailed}>
          <div className="relative">
            <PendingFiles entry={entry} />
            {!hasFailed && <UploadProgress entry={entry} />}
          </div>
          {labels.length > 0 && <StatusLine icon={price > 0 ? 'lock' : 'eye'} text={labels.join(' · ')} />}
          <BubbleFooter text={text} at={at} />
        </Bubble>
      )}
      {(hasFailed || entry.failure !== undefined) && <Unsent entry={entry} />}
    </div>
  );
}
