/** Avatar and cover: chosen, sent at once, shown when the server has made its sizes. */

import { currentUser } from '@stagedoor/contract/accounts.ts';
import { PICTURE } from '@stagedoor/contract/atoms/limits.ts';
import { getOwnProfile, type Profile, updateOwnPicture } from '@stagedoor/contract/profiles.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { formatBytes } from '../../kernel/dates.ts';
import { api } from '../../kernel/mutation.ts';
import { say } from '../../kernel/outcome.ts';
import { pictureProps } from '../../kernel/pictures.ts';
import { apiQuery } from '../../kernel/query.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Spinner } from '../../ui/states.tsx';

type Which = 'avatar' | 'cover';

function useReplace(which: Which) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (file: File) => {
      const form = new FormData();
      form.set('file', file);
      return api(updateOwnPicture, { params: { which } }, { form });
    },
    onSuccess: (profile) => {
      client.setQueryData(apiQuery(getOwnProfile, {}).queryKey, profile);
      void client.invalidateQueries({ queryKey: apiQuery(currentUser, {}).queryKey });
    },
  });
}

function Chooser({ which, words }: { which: Which; words: string }) {
  const id = useId();
  const replace = useReplace(which);
  const choose = (file: File | undefined) => {
    if (!file) return;
    if (file.size > PICTURE.maxBytes)
      return void say(`${file.name} is larger than ${formatBytes(PICTURE.maxBytes)}.`, 'error');
    replace.mutate(file);
  };
  return (
    <div className="flex items-center gap-3 focus-within:outline-2 focus-within:outline-offset-2">
      <label htmlFor={id} className="btn btn--line cursor-pointer" aria-disabled={replace.isPending}>
        {words}
      </label>
      <input
        id={id}
        type="file"
        accept="image/*"
        className="sr-only"
        disabled={replace.isPending}
        onChange={(event) => {
          choose(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      {replace.isPending && <Spinner label="Preparing the picture" />}
    </div>
  );
}

export function PicturePicker({ profile }: { profile: Profile }) {
  return (
    <section aria-label="Pictures" className="grid gap-6">
      <div className="flex items-center gap-5">
        <Avatar name={profile.name} src={profile.avatarUrl} size="l" />
        <Chooser which="avatar" words={profile.avatarUrl ? 'Change your picture' : 'Add your picture'} />
      </div>
      <div className="grid gap-3">
        {profile.cover ? (
          <Picture
            {...pictureProps(profile.cover, '(min-width: 960px) 40vw, 100vw', { alt: 'Your cover' })}
            ratio="16 / 9"
          />
        ) : (
          <div className="grid aspect-video place-items-center bg-surface-2 text-muted">No cover yet</div>
        )}
        <Chooser which="cover" words={profile.cover ? 'Change the cover' : 'Add a cover'} />
      </div>
    </section>
  );
}
