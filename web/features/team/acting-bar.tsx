/** On every page of somebody who acts for a creator: for whom, and the way back to oneself. */
import type { Viewer } from '@stagedoor/contract/accounts.ts';
import { useState } from 'react';
import { isolated } from '../../kernel/bidi.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { stopActing } from './act.ts';

export function ActingBar({ viewer }: { viewer: Viewer }) {
  const [isBusy, setIsBusy] = useState(false);
  const stop = () => {
    setIsBusy(true);
    stopActing().catch(() => setIsBusy(false));
  };
  return (
    <Banner
      action={
        <Button variant="quiet" busy={isBusy} onClick={stop}>
          Stop
        </Button>
      }
    >
      {`${isolated(viewer.acting?.name ?? '')}, you act for ${isolated(viewer.name)}. They see what you do.`}
    </Banner>
  );
}
