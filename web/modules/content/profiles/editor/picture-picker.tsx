/**
 * Uploads avatar and cover as soon as they are chosen. The avatar is cropped to a square first, the cover keeps its
 * focus point visible.
 */

import {
  deleteProfilePicture,
  type FocalPoint,
  getOwnProfile,
  type Profile,
  uploadProfilePicture,
} from '@stagedoor/contract/content/profiles.ts';
import { getCurrentUser } from '@stagedoor/contract/identity/accounts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { PICTURE_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type PointerEvent, Suspense, useId, useRef, useState } from 'react';
import { formatBytes } from '../../../../platform/bytes.ts';
import { lazyPart } from '../../../../platform/lazy-part.ts';
import { api } from '../../../../platform/mutation.ts';
import { toPictureProps } from '../../../../platform/pictures.ts';
import { apiQuery } from '../../../../platform/query.ts';
import { Avatar } from '../../../../ui/avatar.tsx';
import { Button } from '../../../../ui/button.tsx';
import type { CropSquare } from '../../../../ui/crop-dialog.tsx';
import { FieldErrorMessage } from '../../../../ui/field.tsx';
import { Picture } from '../../../../ui/picture.tsx';
import { Spinner } from '../../../../ui/states.tsx';
import * as texts from '../texts.ts';

const loadCrop = () => import('../../../../ui/crop-dialog.tsx');
const CropDialog = lazyPart(async () => (await loadCrop()).CropDialog);

type ProfilePictureKind = 'avatar' | 'cover';
type Cropping = { file: File; url: string };
type PictureUpload = { file: File; square?: CropSquare | undefined };

const silent = { showErrorMessage: false } as const;

function useProfilePicture(which: ProfilePictureKind) {
  const client = useQueryClient();
  const setCachedProfile = (profile: Profile) => {
    client.setQueryData(apiQuery(getOwnProfile, {}).queryKey, profile);
    void client.invalidateQueries({ queryKey: apiQuery(getCurrentUser, {}).queryKey });
  };
  const replace = useMutation({
    mutationFn: async ({ file, square }: PictureUpload) => {
      const form = new FormData();
      form.set('file', file);
      (await loadCrop()).setCropFields(form, square);
      return api(uploadProfilePicture, { params: { pictureKind: which } }, { form, ...silent });
    },
    onSuccess: setCachedProfile,
  });
  const remove = useMutation({
    mutationFn: () => api(deleteProfilePicture, { params: { pictureKind: which } }, silent),
    onSuccess: setCachedProfile,
  });
  return { replace, remove };
}

type PictureChooserProps = { which: ProfilePictureKind; hasPicture: boolean; chooseLabel: string; removeLabel: string };

function PictureChooser({ which, hasPicture, chooseLabel, removeLabel }: PictureChooserProps) {
  const id = useId();
  const { replace, remove } = useProfilePicture(which);
  const [cropping, setCropping] = useState<Cropping>();
  const [sizeError, setSizeError] = useState<string>();
  const isBusy = replace.isPending || remove.isPending;
  const failure = sizeError ?? replace.error?.message ?? remove.error?.message;
  const stopCropping = () => {
    if (cropping) URL.revokeObjectURL(cropping.url);
    setCropping(undefined);
  };
  const send = (upload: PictureUpload) => replace.mutate(upload, { onSettled: stopCropping });
  const choose = (file: File | undefined) => {
    if (!file) return;
    replace.reset();
    remove.reset();
    const isTooLarge = file.size > PICTURE_LIMITS.maxBytes;
    setSizeError(
      isTooLarge
        ? formatText(texts.fileTooLargeError, { name: file.name, maxBytes: formatBytes(PICTURE_LIMITS.maxBytes) })
        : undefined,
    );
    if (isTooLarge) return;
    if (which === 'avatar') setCropping({ file, url: URL.createObjectURL(file) });
    else send({ file });
  };
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-2">
        <label
          htmlFor={id}
          className="btn btn--line cursor-pointer whitespace-normal has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
          aria-disabled={isBusy || undefined}
        >
          {chooseLabel}
          <input
            id={id}
            type="file"
            accept="image/*,.heic,.heif"
            className="sr-only"
            disabled={isBusy}
            aria-describedby={failure ? `${id}-error` : undefined}
            onChange={(event) => {
              choose(event.currentTarget.files?.[0]);
              event.currentTarget.value = '';
            }}
          />
        </label>
        {hasPicture && (
          <Button variant="quiet" disabled={isBusy} onClick={() => remove.mutate()}>
            {removeLabel}
          </Button>
        )}
        {isBusy && <Spinner label={texts.preparingPhoto} />}
      </div>
      <FieldErrorMessage id={`${id}-error`} message={failure} />
      {cropping && (
        <Suspense>
          <CropDialog
            url={cropping.url}
            title={texts.profilePhoto}
            confirmText={texts.crop}
            busy={replace.isPending}
            busyText={texts.sending}
            onConfirm={(square) => send({ file: cropping.file, square })}
            onClose={stopCropping}
          />
        </Suspense>
      )}
    </div>
  );
}

const clamp = (value: number) => Math.min(100, Math.max(0, Math.round(value)));

type FocusProps = { profile: Profile; focus: FocalPoint; onFocus: (focus: FocalPoint) => void };

function FocusPicker({ profile, focus, onFocus }: FocusProps) {
  const isDragging = useRef(false);
  if (!profile.cover) return null;
  const setFocusPoint = (event: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    onFocus({ x: clamp(((event.clientX - left) / width) * 100), y: clamp(((event.clientY - top) / height) * 100) });
  };
  const sliders = [
    { label: texts.horizontal, value: focus.x, change: (x: number) => onFocus({ ...focus, x }) },
    { label: texts.vertical, value: focus.y, change: (y: number) => onFocus({ ...focus, y }) },
  ];
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="field__label">{texts.focusPoint}</legend>
      <div
        className="relative cursor-crosshair touch-none select-none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          isDragging.current = true;
          setFocusPoint(event);
        }}
        onPointerMove={(event) => isDragging.current && setFocusPoint(event)}
        onPointerUp={() => {
          isDragging.current = false;
        }}
        onPointerCancel={() => {
          isDragging.current = false;
        }}
      >
        <Picture {...toPictureProps(profile.cover, '(min-width: 60rem) 40vw, 100vw', { alt: texts.coverPhoto })} />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute size-7 -translate-1/2 rounded-full border-2 border-white outline-2 outline-[#14161b]"
          style={{ left: `${focus.x}%`, top: `${focus.y}%` }}
        />
      </div>
      <div className="grid grid-cols-2 gap-5">
        {sliders.map(({ label, value, change }) => (
          <label key={label} className="text-small text-muted">
            {label}
            <input
              type="range"
              className="h-11 w-full accent-ink"
              min={0}
              max={100}
              value={value}
              aria-valuetext={formatText(texts.focusPercent, { percentage: value })}
              onChange={(event) => change(Number(event.currentTarget.value))}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function PicturePicker({ profile, focus, onFocus }: FocusProps) {
  const { cover, avatarUrl, name } = profile;
  return (
    <section aria-label={texts.photos} className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-center gap-5">
        <Avatar name={name} src={avatarUrl} size="l" />
        <PictureChooser
          which="avatar"
          hasPicture={avatarUrl !== null}
          chooseLabel={avatarUrl ? texts.changePhoto : texts.addPhoto}
          removeLabel={texts.removeButton}
        />
      </div>
      <div className="grid grid-cols-1 gap-3">
        {cover ? (
          <FocusPicker profile={profile} focus={focus} onFocus={onFocus} />
        ) : (
          <div className="grid aspect-video place-items-center bg-surface-2 text-muted">{texts.noCoverYet}</div>
        )}
        <PictureChooser
          which="cover"
          hasPicture={cover !== null}
          chooseLabel={cover ? texts.changeCover : texts.addCover}
          removeLabel={texts.removeCover}
        />
      </div>
    </section>
  );
}
