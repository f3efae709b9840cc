import { Suspense, startTransition, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { lazyPart } from '../../../platform/lazy-part.ts';
import { useViewer } from '../../../platform/session.ts';
import { Menu } from '../../../ui/menu.tsx';
import type { GiftDialogProps } from './gift-dialog.tsx';
import { findGiftRequest, type RequestedPlan, readPlanChoice, removeGiftRequest } from './plan-choice.ts';
import * as texts from './texts.ts';

const GiftDialog = lazyPart(async () => (await import('./gift-dialog.tsx')).GiftDialog);

/** For fans, where a creator has a paid tier that is open. */
export function GiftMenu(props: Pick<GiftDialogProps, 'creator' | 'tiers'>) {
  const viewer = useViewer();
  const [search, setSearch] = useSearchParams();
  const [isOpen, setIsOpen] = useState(false);
  const [initial, setInitial] = useState<RequestedPlan & { username: string }>();
  const requested = findGiftRequest(search);
  useEffect(() => {
    if (requested === undefined) return;
    startTransition(() => {
      setInitial({ ...readPlanChoice(search), username: requested });
      setIsOpen(true);
    });
    setSearch(removeGiftRequest, { replace: true, preventScrollReset: true });
  }, [requested, search, setSearch]);
  const tiers = props.tiers.filter(({ isOpen: isOffered, options }) => isOffered && options.length > 0);
  if (viewer?.type !== 'customer' || tiers.length === 0) return null;
  return (
    <>
      <Menu
        label={texts.moreOptions}
        items={[
          {
            label: texts.giveAsGift,
            onSelect: () => {
              setInitial((current) => current ?? { tierId: undefined, period: undefined, username: '' });
              setIsOpen(true);
            },
          },
        ]}
      />
      {initial && (
        <Suspense>
          <GiftDialog
            creator={props.creator}
            tiers={tiers}
            initial={initial}
            balance={viewer.deposit}
            open={isOpen}
            onOpenChange={setIsOpen}
          />
        </Suspense>
      )}
    </>
  );
}
