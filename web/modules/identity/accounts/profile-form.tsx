/** The form for name and avatar (row B4). */

import { updateUserProfile } from '@stagedoor/contract/content/profiles.ts';
import { profileName, type Viewer } from '@stagedoor/contract/identity/accounts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { PICTURE_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { showToast } from '../../../platform/feedback.ts';
import { createContractResolver, createSubmitHandler } from '../../../platform/forms.ts';
import { lazyPart } from '../../../platform/lazy-part.ts';
import { UNSAVED_DIALOG, useLeaveGuard } from '../../../platform/leave-guard.ts';
import { api } from '../../../platform/mutation.ts';
import { changeViewer } from '../../../platform/session.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import type { CropSquare } from '../../../ui/crop-dialog.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { FieldErrorMessage, TextField } from '../../../ui/field.tsx';
import { Banner } from '../../../ui/states.tsx';
import * as texts from './texts.ts';

const loadCrop = () => import('../../../ui/crop-dialog.tsx');
const CropDialog = lazyPart(async () => (await loadCrop()).CropDialog);

const schema = z.object({ name: profileName });
type Values = z.input<typeof schema>;
const ACCEPTED_TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/heic,image/heif,image/gif';
const TOO_LARGE_MESSAGE = formatText(texts.photoTooLarge, { maxMegabytes: PICTURE_LIMITS.maxBytes / 1024 / 1024 });

type PickedFile = { file: File; url: string };
type CroppedPicture = PickedFile & { square: CropSquare | undefined; previewUrl: string };

export function ProfileForm({ viewer }: { viewer: Viewer }) {
  const client = useQueryClient();
  const inputId = useId();
  const [cropTarget, setCropTarget] = useState<PickedFile>();
  const [newPicture, setNewPicture] = useState<CroppedPicture>();
  const [isRemoved, setRemoved] = useState(false);
  const [fileError, setFileError] = useState<string>();
  const form = useForm<Values, unknown, Values>({
    resolver: createContractResolver(schema),
    defaultValues: { name: viewer.name },
  });
  const { errors, isSubmitting, isDirty } = form.formState;
  const hasPicture = newPicture !== undefined || (viewer.avatarUrl !== null && !isRemoved);
  const hasChange = isDirty || newPicture !== undefined || isRemoved;
  const leaveGuard = useLeaveGuard(hasChange, isSubmitting);

  useEffect(() => {
    return () => {
      if (!newPicture) return;
      URL.revokeObjectURL(newPicture.url);
      if (newPicture.previewUrl !== newPicture.url) URL.revokeObjectURL(newPicture.previewUrl);
    };
  }, [newPicture]);
  const selectFile = (file: File | undefined) => {
    if (!file) return;
    if (file.size > PICTURE_LIMITS.maxBytes) return setFileError(TOO_LARGE_MESSAGE);
    setFileError(undefined);
    setCropTarget({ file, url: URL.createObjectURL(file) });
  };
  const cropPicture = async ({ file, url }: PickedFile, square: CropSquare | undefined) => {
    const previewUrl = square && (await (await loadCrop()).cropToObjectUrl(url, square));
    setNewPicture({ file, url, square, previewUrl: previewUrl ?? url });
    setRemoved(false);
    setCropTarget(undefined);
  };
  const send = createSubmitHandler(form, async ({ name }) => {
    const body = new FormData();
    body.set('name', name);
    if (newPicture) {
      body.set('avatar', newPicture.file);
      (await loadCrop()).setCropFields(body, newPicture.square);
    }
    if (!newPicture && isRemoved) body.set('isAvatarRemoved', 'true');
    const updated = await api(updateUserProfile, {}, { form: body, showErrorMessage: false });
    changeViewer(client, updated);
    form.reset({ name: updated.name });
    setNewPicture(undefined);
    setRemoved(false);
    await showToast(texts.saved, 'success');
  });

  return (
    <form className="form" noValidate onSubmit={send}>
      <div className="flex flex-wrap items-center gap-4">
        <Avatar name={viewer.name} src={newPicture?.previewUrl ?? (isRemoved ? null : viewer.avatarUrl)} size="l" />
        <div className="flex flex-wrap gap-2">
          <label
            className="btn btn--line has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
            htmlFor={inputId}
          >
            {hasPicture ? texts.changePhoto : texts.addPhoto}
            <input
              id={inputId}
              className="sr-only"
              type="file"
              accept={ACCEPTED_TYPES}
              onChange={(event) => {
                selectFile(event.target.files?.[0]);
                // Resets the input so that the same file can be selected again.
                event.target.value = '';
              }}
            />
          </label>
          {hasPicture && (
            <Button
              variant="quiet"
              onClick={() => {
                setNewPicture(undefined);
                setRemoved(viewer.avatarUrl !== null);
              }}
            >
              {texts.remove}
            </Button>
          )}
        </div>
      </div>
      <FieldErrorMessage message={fileError} />
      {cropTarget && (
        <Suspense>
          <CropDialog
            url={cropTarget.url}
            title={texts.profilePhoto}
            confirmText={texts.crop}
            onConfirm={(square) => void cropPicture(cropTarget, square)}
            onClose={() => {
              URL.revokeObjectURL(cropTarget.url);
              setCropTarget(undefined);
            }}
          />
        </Suspense>
      )}
      <ConfirmDialog
        open={leaveGuard.isPrompting}
        onOpenChange={(isOpen) => !isOpen && leaveGuard.stay()}
        {...UNSAVED_DIALOG}
        onConfirm={leaveGuard.leave}
      />
      <TextField
        label={texts.name}
        autoComplete="name"
        defaultValue={viewer.name}
        {...form.register('name')}
        error={errors.name?.message}
      />
      {errors.root?.message && <Banner kind="error">{errors.root.message}</Banner>}
      <Button
        type="submit"
        variant={hasChange ? 'primary' : 'line'}
        disabled={!hasChange}
        busy={isSubmitting}
        busyText={texts.saving}
      >
        {texts.save}
      </Button>
    </form>
  );
}
