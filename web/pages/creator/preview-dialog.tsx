import { draftPreviewPath } from '@stagedoor/contract/addresses.ts';
import { useState } from 'react';
import { Segmented } from '../../ui/choice.tsx';
import { Sheet } from '../../ui/dialog.tsx';

/** In CSS pixels. The desktop preview is scaled down to fit. */
const SIZES = { phone: { width: 390, height: 760 }, desk: { width: 1280, height: 800 } } as const;
const ROOM = 544;
const EDGES = 48;

export type PreviewDialogProps = { draftId: string; isPaid: boolean; onClose: () => void };

export function PreviewDialog({ draftId, isPaid, onClose }: PreviewDialogProps) {
  const [as, setAs] = useState<'open' | 'locked'>(isPaid ? 'locked' : 'open');
  const [on, setOn] = useState<keyof typeof SIZES>('phone');
  const { width, height } = SIZES[on];
  const scale = Math.min(1, Math.min(ROOM, window.innerWidth - EDGES) / width);
  const words = `${as === 'locked' ? 'Locked' : 'Unlocked'}, on a ${on === 'desk' ? 'desktop' : on}`;
  return (
    <Sheet open onOpenChange={onClose} title="Fan preview" width={600}>
      <div className="grid gap-2 pb-4 sm:grid-cols-2">
        {isPaid && (
          <Segmented
            name="as"
            label="View as"
            value={as}
            onValueChange={(value) => setAs(value === 'locked' ? 'locked' : 'open')}
            options={[
              { value: 'locked', label: 'Locked' },
              { value: 'open', label: 'Unlocked' },
            ]}
          />
        )}
        <Segmented
          name="on"
          label="Device"
          value={on}
          onValueChange={(value) => setOn(value === 'desk' ? 'desk' : 'phone')}
          options={[
            { value: 'phone', label: 'Phone' },
            { value: 'desk', label: 'Desktop' },
          ]}
        />
      </div>
      <div
        className="mx-auto max-w-full overflow-auto border border-line"
        style={{ width: width * scale, height: height * scale }}
      >
        <iframe
          key={`${as} ${on}`}
          title={words}
          src={draftPreviewPath(draftId, as)}
          width={width}
          height={height}
          className="block origin-top-left border-0"
          style={{ transform: `scale(${scale})`, maxWidth: 'none' }}
        />
      </div>
    </Sheet>
  );
}
