import type { Media } from '@stagedoor/contract/content/media.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { DELETED_MEDIA_DAYS } from '@stagedoor/contract/shared/limits.ts';
import { type Dispatch, useState } from 'react';
import { formatCount } from '../../../../platform/dates.ts';
import { showToast } from '../../../../platform/feedback.ts';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialog.tsx';
import { ActionBar } from '../../../../ui/shell.tsx';
import * as texts from '../texts.ts';
import type { LibraryItem } from './socket-events.ts';
import { useDeletedToast, useDeleteMedia } from './use-library.ts';

export type SelectionProps = {
  items: readonly LibraryItem[];
  selectedIds: ReadonlySet<Media['id']>;
  onSelect: Dispatch<ReadonlySet<Media['id']>>;
  onEnd: () => void;
};

export function SelectionBar({ items, selectedIds, onSelect, onEnd }: SelectionProps) {
  const [isPrompting, setIsPrompting] = useState(false);
  const deletion = useDeleteMedia();
  const showDeleted = useDeletedToast();
  const unused = items.flatMap(({ media }) => (media.isUsed ? [] : [media.id]));
  const deleteSelected = async () => {
    const { deletedIds, refusedCount } = await deletion.run([...selectedIds]);
    setIsPrompting(false);
    const deleted = items.flatMap(({ media }) => (deletedIds.includes(media.id) ? [media] : []));
    if (deletedIds.length > 0)
      showDeleted(deleted, formatText(texts.filesDeleted, { fileCount: formatCount(deletedIds.length, 'file') }));
    if (refusedCount > 0)
      void showToast(
        formatText(texts.filesNotDeleted, {
          fileCount: formatCount(refusedCount, 'file'),
          pronoun: refusedCount === 1 ? texts.itSubject : texts.theySubject,
        }),
        'error',
      );
    onEnd();
  };
  return (
    <>
      <ActionBar>
        <div className="flex flex-wrap items-center gap-2">
          <p className="flex-1 font-semibold tabular-nums" role="status">
            {formatText(texts.filesSelected, { fileCount: formatCount(selectedIds.size, 'file') })}
          </p>
          {selectedIds.size < unused.length && (
            <Button variant="quiet" onClick={() => onSelect(new Set(unused))}>
              {formatText(texts.allUnusedShown, { unusedCount: unused.length })}
            </Button>
          )}
          <Button variant="quiet" onClick={onEnd}>
            {texts.cancel}
          </Button>
          <Button variant="danger" icon="trash" disabled={selectedIds.size === 0} onClick={() => setIsPrompting(true)}>
            {texts.deleteButton}
          </Button>
        </div>
      </ActionBar>
      <ConfirmDialog
        open={isPrompting}
        onOpenChange={setIsPrompting}
        title={formatText(texts.deleteFilesQuestion, { fileCount: formatCount(selectedIds.size, 'file') })}
        lead={formatText(texts.deleteFilesConsequence, {
          subject: selectedIds.size === 1 ? texts.itIsSubject : texts.theyAreSubject,
          days: DELETED_MEDIA_DAYS,
        })}
        confirmText="Delete"
        busyText={texts.deleting}
        danger
        busy={deletion.isBusy}
        onConfirm={() => void deleteSelected()}
      />
    </>
  );
}
