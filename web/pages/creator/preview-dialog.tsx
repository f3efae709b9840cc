import { draftPreviewPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useState } from 'react';
import { Segmented } from '../../ui/choice.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import * as texts from './texts.ts';

/** In CSS pixels. The desktop preview is scaled down to fit. */
const SIZES = { phone: { width: 390, height: 760 }, desktop: { width: 1280, height: 800 } } as const;
const MAX_WIDTH = 544;
const MARGIN = 48;

export type PreviewDialogProps = { draftId: string; isPaid: boolean; onClose: () => void };

export function PreviewDialog({ draftId, isPaid, onClose }: PreviewDialogProps) {
  const [access, setAccess] = useState<'open' | 'locked'>(isPaid ? 'locked' : 'open');
  const [device, setDevice] = useState<keyof typeof SIZES>('phone');
  const { width, height } = SIZES[device];
  const scale = Math.min(1, Math.min(MAX_WIDTH, window.innerWidth - MARGIN) / width);
  const frameTitle = formatText(texts.previewFrameTitle, {
    access: access === 'locked' ? texts.locked : texts.unlocked,
    deviceName: device === 'desktop' ? 'desktop' : device,
  });
  return (
    <Sheet open onOpenChange={onClose} title={texts.fanPreview} width={600}>
      <div className="grid gap-2 pb-4 sm:grid-cols-2">
        {isPaid && (
          <Segmented
            name="as"
            label={texts.viewAs}
            value={access}
            onValueChange={(value) => setAccess(value === 'locked' ? 'locked' : 'open')}
            options={[
              { value: 'locked', label: texts.locked },
              { value: 'open', label: texts.unlocked },
            ]}
          />
        )}
        <Segmented
          name="on"
          label={texts.device}
          value={device}
          onValueChange={(value) => setDevice(value === 'desktop' ? 'desktop' : 'phone')}
          options={[
            { value: 'phone', label: texts.phone },
            { value: 'desktop', label: texts.desktop },
          ]}
        />
      </div>
      <div
        className="mx-auto max-w-full shrink overflow-auto border border-line"
        style={{ width: width * scale, height: height * scale }}
      >
        <iframe
          key={`${access} ${device}`}
          title={frameTitle}
          src={draftPreviewPath(draftId, access)}
          width={width}
          height={height}
          className="block origin-top-left border-0"
          style={{ transform: `scale(${scale})`, maxWidth: 'none' }}
        />
      </div>
    </Sheet>
  );
}
