import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { formatBytes } from '../../../kernel/bytes.ts';
import { formatDuration } from '../../../kernel/dates.ts';
import { At, Bubble } from '../../../ui/bubble.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Progress } from '../../../ui/states.tsx';
import { timeOf } from '../clock.ts';
import { usePreviews } from '../outbox/previews.ts';
import type { Entry } from '../outbox/queue.ts';
import { useOutbox, useProgress } from '../outbox/use-outbox.ts';
import { Foot, StateLine, Words } from './message-body.tsx';
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

/** Covers the files, so that the message keeps its height when it is sent. */
function Upload({ entry }: { entry: Entry }) {
  const outbox = useOutbox();
  const done = useProgress(entry.clientId);
  const percent = done === undefined ? undefined : Math.round(done * 100);
  return (
    <div className="uploading">
      <Progress
        label={percent === undefined ? 'Sending when online' : 'Uploading'}
        value={percent ?? 0}
        text={percent === undefined ? '' : `${percent} %`}
      />
      <IconButton quiet icon="close" label="Cancel" onClick={() => void outbox?.discard(entry.clientId)} />
    </div>
  );
}

function Unsent({ entry }: { entry: Entry }) {
  const outbox = useOutbox();
  return (
    <div className="msg__fail" role="alert">
      <span>{entry.failure ?? 'Not sent.'}</span>
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
  const { text, price, isViewOnce } = entry;
  const terms = [price > 0 && formatUsd(price), isViewOnce && 'View once'].filter(Boolean);
  return (
    <div className="grid w-full min-w-0 justify-items-end">
      {entry.files.length === 0 ? (
        <Words text={text} at={at} sender="You" me last={isLast} failed={hasFailed} />
      ) : (
        <Bubble me last={isLast} kind="media" failed={hasFailed}>
          <div className="relative">
            <Files entry={entry} />
            {!hasFailed && <Upload entry={entry} />}
          </div>
          {terms.length > 0 && <StateLine icon={price > 0 ? 'lock' : 'eye'} words={terms.join(' · ')} />}
          <Foot text={text} at={at} />
        </Bubble>
      )}
      {(hasFailed || entry.failure !== undefined) && <Unsent entry={entry} />}
    </div>
  );
}
