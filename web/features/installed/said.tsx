import './installed.css';
import { openOverPage } from '../../kernel/over-page.tsx';
import { Button } from '../../ui/button.tsx';
import { type Asking, HowTo, Install } from './install.tsx';
import type { Way } from './rules.ts';

export type Waiting = { reload: () => void; later: () => void };
export type Said = {
  asking: Asking | undefined;
  update: Waiting | undefined;
  howTo: Exclude<Way, 'prompt'> | undefined;
};
type Change = (part: Partial<Said>) => void;

function UpdateLine({ reload, onLater }: Pick<Waiting, 'reload'> & { onLater: () => void }) {
  return (
    <div className="update-line" role="status">
      <span>Update available</span>
      <Button variant="quiet" onClick={onLater}>
        Later
      </Button>
      <Button variant="quiet" onClick={reload}>
        Update
      </Button>
    </div>
  );
}

function Place({ asking, update, howTo, change }: Said & { change: Change }) {
  const putOff = () => {
    update?.later();
    change({ update: undefined });
  };
  if (howTo) return <HowTo way={howTo} onClose={() => change({ howTo: undefined })} />;
  if (update) return <UpdateLine reload={update.reload} onLater={putOff} />;
  return asking ? <Install {...asking} onDone={() => change({ asking: undefined })} /> : null;
}

export function openSaid(): { change: Change; close: () => void } {
  const place = openOverPage();
  let said: Said = { asking: undefined, update: undefined, howTo: undefined };
  const change: Change = (part) => {
    said = { ...said, ...part };
    place.show(<Place {...said} change={change} />);
  };
  return { change, close: place.close };
}
