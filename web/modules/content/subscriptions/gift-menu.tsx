import { Suspense, useState } from 'react';
import { lazyPart } from '../../../platform/lazy-part.ts';
import { useViewer } from '../../../platform/session.ts';
import { Menu } from '../../../ui/menu.tsx';
import type { GiftDialogProps } from './gift-dialog.tsx';
import * as texts from './texts.ts';

const GiftDialog = lazyPart(async () => (await import('./gift-dialog.tsx')).GiftDialog);

/** For fans, where a creator has a paid tier that is open. */
export function GiftMenu(props: Pick<GiftDialogProps, 'creator' | 'tiers'>) {
  const viewer = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
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
              setWasOpened(true);
              setIsOpen(true);
            },
          },
        ]}
      />
      {wasOpened && (
        <Suspense>
          <GiftDialog
            creator={props.creator}
            tiers={tiers}
            balance={viewer.deposit}
            open={isOpen}
            onOpenChange={setIsOpen}
          />
        </Suspense>
      )}
    </>
  );
}
