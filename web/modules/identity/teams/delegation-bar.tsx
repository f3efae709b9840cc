import type { Viewer } from '@stagedoor/contract/identity/accounts.ts';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { switchToOwnAccount } from './delegation.ts';

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
        You’re acting as <bdi className="font-semibold">{viewer.name}</bdi>
        <span className="max-md:hidden">. They can see what you do.</span>
      </p>
      <Button variant="quiet" busy={isBusy} onClick={stop}>
        Stop
      </Button>
    </div>
  );
}
