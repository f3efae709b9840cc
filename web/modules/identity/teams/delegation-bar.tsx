import type { Viewer } from '@stagedoor/contract/identity/accounts.ts';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { Icon } from '../../../ui/icon.tsx';
import { switchToOwnAccount } from './delegation.ts';
import * as texts from './texts.ts';

export function DelegationBar({ viewer }: { viewer: Viewer }) {
  const [isBusy, setIsBusy] = useState(false);
  const stop = () => {
    setIsBusy(true);
    switchToOwnAccount().catch(() => setIsBusy(false));
  };
  return (
    <div className="flex h-(--acting) items-center gap-3 border-b border-line bg-surface-1 px-edge" role="status">
      <Icon name="people" size={20} />
      <p className="one-line min-w-0 flex-1 text-small">
        {formatNodes(texts.actingAs, {
          name: <bdi className="font-semibold">{viewer.name}</bdi>,
          notice: <span className="max-md:hidden">{texts.creatorSeesActions}</span>,
        })}
      </p>
      <Button variant="quiet" busy={isBusy} onClick={stop}>
        {texts.stop}
      </Button>
    </div>
  );
}
