import './pwa.css';
import { Button } from '../../ui/button.tsx';
import { openOverlayRoot } from '../overlay-root.tsx';
import { InstallInstructions, InstallPrompt, type InstallPromptState } from './install.tsx';
import type { InstallMethod } from './install-rules.ts';
import * as texts from './texts.ts';

export type PendingUpdate = { reload: () => void; postpone: () => void };
export type PwaOverlayState = {
  installPrompt: InstallPromptState | undefined;
  update: PendingUpdate | undefined;
  instructions: Exclude<InstallMethod, 'prompt'> | undefined;
};
type ChangeOverlay = (part: Partial<PwaOverlayState>) => void;

function UpdateNotice({ reload, onLater }: Pick<PendingUpdate, 'reload'> & { onLater: () => void }) {
  return (
    <div className="update-line" role="status">
      <span>{texts.updateAvailable}</span>
      <Button variant="quiet" onClick={onLater}>
        {texts.later}
      </Button>
      <Button variant="quiet" onClick={reload}>
        {texts.update}
      </Button>
    </div>
  );
}

function PwaOverlay({ installPrompt, update, instructions, change }: PwaOverlayState & { change: ChangeOverlay }) {
  const postponeUpdate = () => {
    update?.postpone();
    change({ update: undefined });
  };
  if (instructions)
    return <InstallInstructions method={instructions} onClose={() => change({ instructions: undefined })} />;
  if (update) return <UpdateNotice reload={update.reload} onLater={postponeUpdate} />;
  return installPrompt ? (
    <InstallPrompt {...installPrompt} onDone={() => change({ installPrompt: undefined })} />
  ) : null;
}

export function openPwaOverlay(): { change: ChangeOverlay; close: () => void } {
  const overlayRoot = openOverlayRoot();
  let state: PwaOverlayState = { installPrompt: undefined, update: undefined, instructions: undefined };
  const change: ChangeOverlay = (part) => {
    state = { ...state, ...part };
    overlayRoot.show(<PwaOverlay {...state} change={change} />);
  };
  return { change, close: overlayRoot.close };
}
