/** The form for name and avatar (row B4). */
import { profileName, type Viewer } from '@stagedoor/contract/accounts.ts';
import { PICTURE } from '@stagedoor/contract/atoms/limits.ts';
import { updateCustomerProfile } from '@stagedoor/contract/profiles.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { contractForm, submitting } from '../../kernel/forms.ts';
import { lazyPart } from '../../kernel/lazy-part.ts';
import { UNSAVED_WORDS, useUnsaved } from '../../kernel/leaving.ts';
import { api } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { changeViewer } from '../../kernel/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import type { Square } from '../../ui/crop-dialog.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { FieldError, TextField } from '../../ui/field.tsx';
import { Banner } from '../../ui/states.tsx';

const loadCrop = () => import('../../ui/crop-dialog.tsx');
const CropDialog = lazyPart(async () => (await loadCrop()).CropDialog);

const schema = z.object({ name: profileName });
type Values = z.input<typeof schema>;
const TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/heic,image/heif,image/gif';
const TOO_LARGE = `This photo is larger than ${PICTURE.maxBytes / 1024 / 1024} MB.`;

type Picked = { file: File; url: string };
type Cut = Picked & { square: Square | undefined; face: string };

export function ProfileForm({ viewer }: { viewer: Viewer }) {
  const client = useQueryClient();
  const pickId = useId();
  const [cutting, setCutting] = useState<Picked>();
  const [picked, setPicked] = useState<Cut>();
  const [isRemoved, setRemoved] = useState(false);
  const [fileError, setFileError] = useState<string>();
  const form = useForm<Values, unknown, Values>({
    resolver: contractForm(schema),
    defaultValues: { name: viewer.name },
  });
  const { errors, isSubmitting, isDirty } = form.formState;
  const hasPicture = picked !== undefined || (viewer.avatarUrl !== null && !isRemoved);
  const hasChange = isDirty || picked !== undefined || isRemoved;
  const leaving = useUnsaved(hasChange, isSubmitting);

  useEffect(() => {
    return () => {
      if (!picked) return;
      URL.revokeObjectURL(picked.url);
      if (picked.face !== picked.url) URL.revokeObjectURL(picked.face);
    };
  }, [picked]);
  const pick = (file: File | undefined) => {
    if (!file) return;
    if (file.size > PICTURE.maxBytes) return setFileError(TOO_LARGE);
    setFileError(undefined);
    setCutting({ file, url: URL.createObjectURL(file) });
  };
  const cut = async ({ file, url }: Picked, square: Square | undefined) => {
    const face = square && (await (await loadCrop()).faceOf(url, square));
    setPicked({ file, url, square, face: face ?? url });
    setRemoved(false);
    setCutting(undefined);
  };
  const send = submitting(form, async ({ name }) => {
    const body = new FormData();
    body.set('name', name);
    if (picked) {
      body.set('avatar', picked.file);
      (await loadCrop()).setSquare(body, picked.square);
    }
    if (!picked && isRemoved) body.set('isAvatarRemoved', 'true');
    const changed = await api(updateCustomerProfile, {}, { form: body, showErrorMessage: false });
    changeViewer(client, changed);
    form.reset({ name: changed.name });
    setPicked(undefined);
    setRemoved(false);
    await showToast('Saved.', 'success');
  });

  return (
    <form className="form" noValidate onSubmit={send}>
      <div className="flex flex-wrap items-center gap-4">
        <Avatar name={viewer.name} src={picked?.face ?? (isRemoved ? null : viewer.avatarUrl)} size="l" />
        <div className="flex flex-wrap gap-2">
          <label
            className="btn btn--line has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
            htmlFor={pickId}
          >
            {hasPicture ? 'Change photo' : 'Add photo'}
            <input
              id={pickId}
              className="sr-only"
              type="file"
              accept={TYPES}
              onChange={(event) => {
                pick(event.target.files?.[0]);
                // Resets the input so that the same file can be selected again.
                event.target.value = '';
              }}
            />
          </label>
          {hasPicture && (
            <Button
              variant="quiet"
              onClick={() => {
                setPicked(undefined);
                setRemoved(viewer.avatarUrl !== null);
              }}
            >
              Remove
            </Button>
          )}
        </div>
      </div>
      <FieldError message={fileError} />
      {cutting && (
        <Suspense>
          <CropDialog
            url={cutting.url}
            title="Profile photo"
            confirmText="Crop"
            onConfirm={(square) => void cut(cutting, square)}
            onClose={() => {
              URL.revokeObjectURL(cutting.url);
              setCutting(undefined);
            }}
          />
        </Suspense>
      )}
      <ConfirmDialog
        open={leaving.isAsked}
        onOpenChange={(isOpen) => !isOpen && leaving.stay()}
        {...UNSAVED_WORDS}
        onConfirm={leaving.leave}
      />
      <TextField
        label="Name"
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
        busyText="Saving…"
      >
        Save
      </Button>
    </form>
  );
}
