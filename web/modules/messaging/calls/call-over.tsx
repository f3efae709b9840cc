import { chatWithPath, creatorChatWithPath } from '@stagedoor/contract/shared/addresses.ts';
import { Suspense } from 'react';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatCallEnd } from './call-labels.ts';
import { useCallParts } from './call-parts.ts';
import { CallReceipt } from './call-receipt.tsx';
import { dispatchCallAction, openDeviceCheck } from './session.ts';
import type { CallEnd } from './state.ts';
import * as texts from './texts.ts';

const closeCall = () => dispatchCallAction({ type: 'close' });

export function toChatHref({ isOutgoing, other }: Pick<CallEnd, 'isOutgoing' | 'other'>): string {
  return isOutgoing ? chatWithPath(other.id) : creatorChatWithPath(other.id);
}

function ReceiptActions({ end }: { end: CallEnd }) {
  const { Tip } = useCallParts();
  return (
    <div className="grid gap-2 pt-5">
      <Button variant="primary" size="lg" wide href={toChatHref(end)} onClick={closeCall}>
        {texts.backToChat}
      </Button>
      {end.isOutgoing && (
        <Suspense fallback={null}>
          <Tip creatorId={end.other.id} creatorName={end.other.name} username={end.other.username} variant="text" />
        </Suspense>
      )}
    </div>
  );
}

function callAgain({ other, kind }: CallEnd): void {
  openDeviceCheck(
    { creatorId: other.id, username: other.username, name: other.name, avatarUrl: other.avatarUrl },
    kind,
  );
}

export function CallOver({ end }: { end: CallEnd }) {
  if (end.wasAnswered)
    return <CallReceipt id={end.callLogId} onClose={closeCall} actions={<ReceiptActions end={end} />} />;
  const { title, detail } = formatCallEnd(end.reason, end.other.name, end.isOutgoing);
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && closeCall()} title={title} lead={detail}>
      <div className="flex items-center gap-3 pb-5">
        <Avatar name={end.other.name} src={end.other.avatarUrl} />
        <bdi className="one-line min-w-0 font-semibold">{end.other.name}</bdi>
      </div>
      <div className="grid gap-2">
        {end.isOutgoing && end.reason !== 'unavailable' && (
          <Button variant="primary" size="lg" wide onClick={() => callAgain(end)}>
            {texts.callAgain}
          </Button>
        )}
        <Button size="lg" wide href={toChatHref(end)} onClick={closeCall}>
          {texts.sendAMessage}
        </Button>
      </div>
    </Dialog>
  );
}
