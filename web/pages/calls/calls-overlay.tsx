import { blockUnblockCreator, blockUnblockCustomer } from '@stagedoor/contract/messaging/chat-settings.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { Suspense, useMemo, useState } from 'react';
import { TipDialog } from '../../modules/finance/wallet/tip-dialog.tsx';
import { CallLayer } from '../../modules/messaging/calls/call-layer.tsx';
import type { CallParts, CallTipProps } from '../../modules/messaging/calls/call-parts.ts';
import { LazyReportDialog } from '../../modules/trust/moderation/lazy-report.ts';
import { isolateText } from '../../platform/bidi.ts';
import { lazyPart } from '../../platform/lazy-part.ts';
import { useApiMutation } from '../../platform/mutation.ts';
import { useViewer } from '../../platform/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import * as texts from './texts.ts';

const CallThread = lazyPart(async () => (await import('./call-thread.tsx')).CallThread);

function Tip({ creatorId, creatorName, username, variant }: CallTipProps) {
  const viewer = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  if (viewer?.type !== 'customer') return null;
  const label = formatText(texts.tipCreator, { creatorName: isolateText(creatorName) });
  const target = { creatorId, creatorName, type: 'call', returnTo: profilePath(username) } as const;
  return (
    <>
      {variant === 'text' ? (
        <Button icon="tip" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          {label}
        </Button>
      ) : (
        <button
          type="button"
          className="call-act"
          aria-label={label}
          title={label}
          aria-haspopup="dialog"
          onClick={() => setIsOpen(true)}
        >
          <Icon name="tip" />
        </button>
      )}
      <TipDialog target={target} balance={viewer.deposit} open={isOpen} onOpenChange={setIsOpen} />
    </>
  );
}

const Block: CallParts['Block'] = ({ userId, name, onClose }) => {
  const isCreator = useViewer()?.type === 'creator';
  const onSuccess = () => onClose(true);
  const fan = useApiMutation(blockUnblockCustomer, { onSuccess });
  const creator = useApiMutation(blockUnblockCreator, { onSuccess });
  const body = { isBlocked: true };
  return (
    <ConfirmDialog
      open
      danger
      title={formatText(texts.blockQuestion, { name: isolateText(name) })}
      lead={texts.blockAndEndCallConsequence}
      confirmText={texts.blockAndEndCall}
      busy={fan.isPending || creator.isPending}
      onOpenChange={(isOpen) => !isOpen && onClose(false)}
      onConfirm={() =>
        isCreator
          ? fan.mutate({ params: { customerId: userId }, body })
          : creator.mutate({ params: { creatorId: userId }, body })
      }
    />
  );
};

const Report: CallParts['Report'] = ({ userId, callLogId, onClose }) => (
  <Suspense fallback={null}>
    <LazyReportDialog target={{ userId, type: 'call', typeId: callLogId }} onClose={onClose} />
  </Suspense>
);

export function CallsOverlay() {
  const viewer = useViewer();
  const { id: viewerId, type } = viewer ?? {};
  const parts = useMemo(
    (): CallParts | undefined =>
      viewerId === undefined || type === 'operator'
        ? undefined
        : { viewerId, side: type === 'creator' ? 'creator' : 'fan', Tip, Thread: CallThread, Block, Report },
    [viewerId, type],
  );
  return parts ? <CallLayer parts={parts} /> : null;
}
