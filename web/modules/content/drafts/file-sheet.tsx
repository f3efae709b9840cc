import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { ALT_LENGTH } from '@stagedoor/contract/shared/limits.ts';
import { Button } from '../../../ui/button.tsx';
import { Sheet } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FileState } from './file-state.tsx';
import type { UploadItem } from './items.ts';
import type { Reorder } from './reorder.ts';
import * as texts from './texts.ts';
import type { PostFiles } from './use-files.ts';

const KIND_LABELS = { picture: texts.photo, video: texts.video, audio: texts.audio } as const;

export type FileSheetProps = {
  files: PostFiles;
  openKey: string | undefined;
  onClose: () => void;
  step: Reorder['moveStep'];
  onRemove: (item: UploadItem) => void;
};

export function FileSheet({ files, openKey, onClose, step, onRemove }: FileSheetProps) {
  const index = files.items.findIndex(({ key }) => key === openKey);
  const item = files.items[index];
  const count = files.items.length;
  const itemLabel = item ? `${KIND_LABELS[item.kind]} ${index + 1}` : '';
  return (
    <Sheet
      open={item !== undefined}
      onOpenChange={onClose}
      title={count > 1 ? formatText(texts.itemOfCount, { itemLabel, count }) : itemLabel}
    >
      {item && (
        <div className="grid gap-4">
          <p className="one-line text-small text-muted">{item.name}</p>
          <TextField
            label={item.kind === 'audio' ? texts.audioDescriptionLabel : texts.altText}
            value={item.alt}
            maxLength={ALT_LENGTH}
            onChange={(event) => files.describe(item.key, event.currentTarget.value)}
          />
          <div className="grid gap-1">
            <FileState item={item} files={files} />
          </div>
          {count > 1 && (
            <div className="grid grid-cols-2 gap-2">
              <Button icon="chevron-left" disabled={index === 0} onClick={() => step(item.key, index - 1)}>
                {texts.moveEarlier}
              </Button>
              <Button icon="chevron-right" disabled={index === count - 1} onClick={() => step(item.key, index + 1)}>
                {texts.moveLater}
              </Button>
            </div>
          )}
          <div className="grid grid-cols-2 gap-2">
            <Button
              variant="danger"
              icon="trash"
              onClick={() => {
                onClose();
                onRemove(item);
              }}
            >
              {texts.remove}
            </Button>
            <Button variant="ink" onClick={onClose}>
              {texts.done}
            </Button>
          </div>
        </div>
      )}
    </Sheet>
  );
}
