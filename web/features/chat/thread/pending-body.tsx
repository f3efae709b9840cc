/** A message that is still on this device: as it will look, with how far it is, or why it failed and what can be done. */
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { formatBytes } from '../../../kernel/bytes.ts';
import { formatDuration } from '../../../kernel/dates.ts';
import { At, Bubble } from '../../../ui/bubble.tsx';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Progress } from '../../../ui/states.tsx';
import { timeOf } from '../clock.ts';
import { usePreviews } from '../outbox/previews.ts';
import type { Entry } from '../outbox/queue.ts';
import { useOutbox, useProgress } from '../outbox/use-outbox.ts';
import { MessageText } from './links.tsx';
import { PreviewShot, ratioOf, Shots } from './shots.tsx';

function Files({ entry }: { entry: Entry }) {
  const previews = usePreviews(entry.clientId, entry.files);
  const shots = entry.files.filter(({ kind }) => kind === 'picture' || kind === 'video');
  return (
    <>
      {shots.length > 0 && (
        <Shots count={shots.length}>
          {shots.map(({ key, width, height }) => {
            const ratio = shots.length > 1 ? '1 / 1' : ratioOf(width, height);
            const preview = previews.find((each) => each.key === key);
            return preview ? (
              <PreviewShot key={key} preview={preview} ratio={ratio} />
            ) : (
              <span key={key} className="shot" style={{ aspectRatio: ratio }} />
            );
          })}
        </Shots>
      )}
      {entry.files
        .filter(({ kind }) => kind === 'document' || kind === 'voice')
        .map(({ key, name, kind, blob }) => (
          <div key={key} className="file">
            <Icon name={kind === 'voice' ? 'mic' : 'document'} />
            <span className="min-w-0 wrap-anywhere">
              {kind === 'voice' ? `Voice message, ${formatDuration(entry.voice?.durationSeconds ?? 0)}` : name}
            </span>
            <span className="num text-small text-muted">{formatBytes(blob.size)}</span>
          </div>
        ))}
    </>
  );
}

function Upload({ entry }: { entry: Entry }) {
  const outbox = useOutbox();
  const done = useProgress(entry.clientId);
  const percent = done === undefined ? undefined : Math.round(done * 100);
  return (
    <div className="px-3.5 pt-3">
      <Progress
        label={percent === undefined ? 'Waiting to be sent' : 'Uploading'}
        value={percent ?? 0}
        text={percent === undefined ? '' : `${percent} %`}
        action={
          <Button variant="quiet" onClick={() => void outbox?.discard(entry.clientId)}>
            Cancel
          </Button>
        }
      />
    </div>
  );
}

/** Why it failed, or what holds it up, and what can be done. */
function Unsent({ entry }: { entry: Entry }) {
  const outbox = useOutbox();
  return (
    <div className="msg__fail" role="alert">
      <span>{entry.failure ?? 'It was not sent.'}</span>
      {entry.state === 'failed' && (
        <Button variant="quiet" onClick={() => void outbox?.retry(entry.clientId)}>
          Retry
        </Button>
      )}
      <Button variant="quiet" onClick={() => void outbox?.discard(entry.clientId)}>
        Delete
      </Button>
    </div>
  );
}

export function PendingBody({ entry, isLast, zone }: { entry: Entry; isLast: boolean; zone: string }) {
  const hasFailed = entry.state === 'failed';
  const at = <At time={timeOf(entry.createdAt, zone)} delivery={hasFailed ? 'failed' : 'sending'} />;
  const text = <MessageText text={entry.text} />;
  return (
    <div className="grid min-w-0 max-w-full justify-items-end">
      {entry.files.length === 0 ? (
        <Bubble me last={isLast} failed={hasFailed} dir="auto" style={{ maxWidth: 'min(82vw, 420px)' }}>
          {text}
          {at}
        </Bubble>
      ) : (
        <Bubble me last={isLast} kind="media" failed={hasFailed}>
          <Files entry={entry} />
          {!hasFailed && <Upload entry={entry} />}
          <p className="bubble__foot" dir="auto">
            {entry.price > 0 && <span className="num block text-small text-muted">{formatUsd(entry.price)}</span>}
            {text}
            {at}
          </p>
        </Bubble>
      )}
      {(hasFailed || entry.failure !== undefined) && <Unsent entry={entry} />}
    </div>
  );
}
