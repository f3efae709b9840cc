/** Name and picture of the own account (row B4). */
import { profileName, updateCustomerProfile, type Viewer } from '@stagedoor/contract/accounts.ts';
import { PICTURE } from '@stagedoor/contract/atoms/limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { applyFieldErrors, contractForm } from '../../kernel/forms.ts';
import { api } from '../../kernel/mutation.ts';
import { changeViewer } from '../../kernel/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { FieldError, TextField } from '../../ui/field.tsx';
import { Banner } from '../../ui/states.tsx';

const schema = z.object({ name: profileName });
type Values = z.input<typeof schema>;
const TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/heic,image/heif,image/gif';
const TOO_LARGE = `This picture is larger than ${PICTURE.maxBytes / 1024 / 1024} MB.`;

/** An address for a file not yet sent, taken back when it is no longer shown. */
function usePreview(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return setUrl(undefined);
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}

export function ProfileForm({ viewer }: { viewer: Viewer }) {
  const client = useQueryClient();
  const pickId = useId();
  const [file, setFile] = useState<File>();
  const [isRemoved, setRemoved] = useState(false);
  const [fileError, setFileError] = useState<string>();
  const preview = usePreview(file);
  const form = useForm<Values, unknown, Values>({ resolver: contractForm(schema), defaultValues: { name: viewer.name } });
  const { errors, isSubmitting, isDirty } = form.formState;
  const hasPicture = preview !== undefined || (viewer.avatarUrl !== null && !isRemoved);
  const hasChange = isDirty || file !== undefined || isRemoved;

  const pick = (picked: File | undefined) => {
    if (!picked) return;
    if (picked.size > PICTURE.maxBytes) return setFileError(TOO_LARGE);
    setFileError(undefined);
    setFile(picked);
    setRemoved(false);
  };
  const send = form.handleSubmit(async ({ name }) => {
    const body = new FormData();
    body.set('name', name);
    if (file) body.set('avatar', file);
    else if (isRemoved) body.set('isAvatarRemoved', 'true');
    try {
      const changed = await api(updateCustomerProfile, {}, { form: body, showErrorMessage: false });
      changeViewer(client, changed);
      form.reset({ name: changed.name });
      setFile(undefined);
      setRemoved(false);
    } catch (error) {
      const rest = applyFieldErrors(form, error);
      if (rest) form.setError('root', { message: rest });
    }
  });

  return (
    <form className="form" noValidate onSubmit={send}>
      <div className="flex flex-wrap items-center gap-4">
        <Avatar name={viewer.name} src={preview ?? (isRemoved ? null : viewer.avatarUrl)} size="l" />
        <div className="flex flex-wrap gap-2">
          <label className="btn btn--line has-focus-visible:outline-2 has-focus-visible:outline-offset-2" htmlFor={pickId}>
            {hasPicture ? 'Change picture' : 'Add a picture'}
            <input id={pickId} className="sr-only" type="file" accept={TYPES} onChange={(event) => pick(event.target.files?.[0])} />
          </label>
          {hasPicture && (
            <Button
              variant="quiet"
              onClick={() => {
                setFile(undefined);
                setRemoved(viewer.avatarUrl !== null);
              }}
            >
              Remove
            </Button>
          )}
        </div>
      </div>
      <FieldError message={fileError} />
      <TextField label="Name" autoComplete="name" {...form.register('name')} error={errors.name?.message} />
      {errors.root?.message && <Banner kind="error">{errors.root.message}</Banner>}
      <div className="flex items-center gap-4">
        <Button type="submit" variant={hasChange ? 'primary' : 'line'} disabled={!hasChange} busy={isSubmitting} busyText="Saving…">
          Save
        </Button>
        {form.formState.isSubmitSuccessful && !hasChange && (
          <span role="status" className="text-muted">
            Saved.
          </span>
        )}
      </div>
    </form>
  );
}
