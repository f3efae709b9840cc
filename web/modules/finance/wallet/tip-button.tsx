import { signupGatePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { Suspense, startTransition, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { isolateText } from '../../../platform/bidi.ts';
import { lazyPart } from '../../../platform/lazy-part.ts';
import { useViewer } from '../../../platform/session.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { findResumedTip, isTipResumed, removeResumeParams, type TipDraft, type TipTarget } from './pending-tip.ts';
import * as texts from './texts.ts';

const TipDialog = lazyPart(async () => (await import('./tip-dialog.tsx')).TipDialog);

/** Payment buttons ignore creator themes. */
const CLASS_NAME = 'asks';

export function TipButton({
  target,
  hasLabel = false,
  isButton = false,
}: {
  target: TipTarget;
  hasLabel?: boolean;
  isButton?: boolean | undefined;
}) {
  const viewer = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const [draft, setDraft] = useState<TipDraft>();
  const [search, setSearch] = useSearchParams();
  const isResumed = isTipResumed(search) && viewer?.type === 'customer';
  useEffect(() => {
    const pending = isResumed ? findResumedTip(search, target) : undefined;
    if (!pending) return;
    startTransition(() => {
      setDraft(pending);
      setWasOpened(true);
      setIsOpen(true);
    });
    setSearch(removeResumeParams, { replace: true, preventScrollReset: true });
  }, [isResumed, search, target, setSearch]);
  const label = formatText(texts.tipCreator, { creatorName: target.creatorName });
  const buttonProps = {
    icon: 'tip',
    label,
    className: CLASS_NAME,
    ...(hasLabel && { text: <span className="hidden lg:inline">{texts.tip}</span> }),
  } as const;
  const text = target.goal ? texts.tip : formatText(texts.tipCreator, { creatorName: isolateText(target.creatorName) });
  if (!viewer)
    return isButton ? (
      <Button icon="tip" className={CLASS_NAME} href={signupGatePath('tip', target.returnTo)}>
        {text}
      </Button>
    ) : (
      <IconButton {...buttonProps} href={signupGatePath('tip', target.returnTo)} />
    );
  if (viewer.type !== 'customer') return null;
  const open = () => {
    setWasOpened(true);
    setIsOpen(true);
  };
  return (
    <>
      {isButton ? (
        <Button icon="tip" className={CLASS_NAME} aria-haspopup="dialog" onClick={open}>
          {text}
        </Button>
      ) : (
        <IconButton {...buttonProps} aria-haspopup="dialog" onClick={open} />
      )}
      {wasOpened && (
        <Suspense>
          <TipDialog target={target} draft={draft} balance={viewer.deposit} open={isOpen} onOpenChange={setIsOpen} />
        </Suspense>
      )}
    </>
  );
}
