import { chatWithPath, PATHS } from '@stagedoor/contract/addresses.ts';
import { Suspense } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useCallParts } from './parts.ts';
import { Receipt } from './receipt.tsx';
import { checkBeforeCall, happen } from './session.ts';
import type { CallEnd } from './state.ts';
import { overWords } from './words.ts';

const close = () => happen({ type: 'close' });

function backHref({ isOutgoing, other }: CallEnd): string {
  return isOutgoing ? chatWithPath(other.id) : PATHS.creatorChat;
}

function ReceiptActions({ end }: { end: CallEnd }) {
  const { Tip } = useCallParts();
  return (
    <div className="grid gap-2 pt-5">
      <Button variant="primary" size="lg" wide href={backHref(end)} onClick={close}>
        Back to chat
      </Button>
      {end.isOutgoing && (
        <Suspense fallback={null}>
          <Tip creatorId={end.other.id} creatorName={end.other.name} username={end.other.username} look="words" />
        </Suspense>
      )}
    </div>
  );
}

function again({ other, kind }: CallEnd): void {
  checkBeforeCall(
    { creatorId: other.id, username: other.username, name: other.name, avatarUrl: other.avatarUrl },
    kind,
  );
}

export function CallOver({ end }: { end: CallEnd }) {
  if (end.wasAnswered) return <Receipt id={end.callLogId} onClose={close} actions={<ReceiptActions end={end} />} />;
  const { line, more } = overWords(end.reason, end.other.name, end.isOutgoing);
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && close()} title={line} lead={more}>
      <div className="flex items-center gap-3 pb-5">
        <Avatar name={end.other.name} src={end.other.avatarUrl} />
        <bdi className="one-line min-w-0 font-semibold">{end.other.name}</bdi>
      </div>
      <div className="grid gap-2">
        {end.isOutgoing && end.reason !== 'unavailable' && (
          <Button variant="primary" size="lg" wide onClick={() => again(end)}>
            Call again
          </Button>
        )}
        <Button size="lg" wide href={backHref(end)} onClick={close}>
          Send a message
        </Button>
      </div>
    </Dialog>
  );
}
