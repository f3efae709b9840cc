import { doorPath } from '@stagedoor/contract/addresses.ts';
import type { TIP_TYPES } from '@stagedoor/contract/wallet.ts';
import { Suspense, useState } from 'react';
import { isolated } from '../../kernel/bidi.ts';
import { lazyPart } from '../../kernel/lazy-part.ts';
import { useViewer } from '../../kernel/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';

const TipDialog = lazyPart(async () => (await import('./tip-dialog.tsx')).TipDialog);

export type TipTarget = {
  creatorId: string;
  creatorName: string;
  type: (typeof TIP_TYPES)[number];
  postId?: string;
  goal?: { id: string; title: string };
  returnTo: string;
};

/** Payment buttons ignore creator themes. */
const ASKS = 'asks';

export function TipButton({
  target,
  hasWord = false,
  isButton = false,
}: {
  target: TipTarget;
  hasWord?: boolean;
  isButton?: boolean | undefined;
}) {
  const viewer = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const label = `Tip ${target.creatorName}`;
  const look = {
    icon: 'tip',
    label,
    className: ASKS,
    ...(hasWord && { text: <span className="hidden lg:inline">Tip</span> }),
  } as const;
  const words = target.goal ? 'Tip' : `Tip ${isolated(target.creatorName)}`;
  if (!viewer)
    return isButton ? (
      <Button icon="tip" className={ASKS} href={doorPath('tip', target.returnTo)}>
        {words}
      </Button>
    ) : (
      <IconButton {...look} href={doorPath('tip', target.returnTo)} />
    );
  if (viewer.type !== 'customer') return null;
  const open = () => {
    setWasOpened(true);
    setIsOpen(true);
  };
  return (
    <>
      {isButton ? (
        <Button icon="tip" className={ASKS} aria-haspopup="dialog" onClick={open}>
          {words}
        </Button>
      ) : (
        <IconButton {...look} aria-haspopup="dialog" onClick={open} />
      )}
      {wasOpened && (
        <Suspense>
          <TipDialog target={target} balance={viewer.deposit} open={isOpen} onOpenChange={setIsOpen} />
        </Suspense>
      )}
    </>
  );
}
