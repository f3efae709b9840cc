import { SOCIAL_NETWORKS } from '@stagedoor/contract/atoms/limits.ts';
import { getOwnProfile, type Profile, profileBody, updateOwnProfile } from '@stagedoor/contract/profiles.ts';
import { networkAddress, type OwnLink, type SocialNetwork } from '@stagedoor/contract/social.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type * as z from 'zod/mini';
import { ApiError } from '../../kernel/api-error.ts';
import { complaints } from '../../kernel/forms.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { apiQuery } from '../../kernel/query.ts';

export type WholeBody = z.output<typeof profileBody>;

export type Draft = Omit<WholeBody, 'links'> & {
  links: Partial<Record<SocialNetwork, string>>;
};

export function draftOf(profile: Profile): Draft {
  const { name, craft, city, bio, category, layout, shape, format, coverFocus, links, ownLinks } = profile;
  return {
    name,
    craft,
    city,
    bio,
    category,
    layout,
    shape,
    format,
    coverFocus,
    ownLinks,
    links: Object.fromEntries(links.map((link) => [link.network, link.url])),
  };
}

function wholeLink({ label, url }: OwnLink): OwnLink[] {
  const address = url.trim();
  if (label.trim() === '' && address === '') return [];
  return [{ label, url: address === '' || address.includes(':') ? address : `https://${address}` }];
}

export function bodyOf(draft: Draft): WholeBody {
  const links = SOCIAL_NETWORKS.flatMap((network) => {
    const url = networkAddress(network, draft.links[network] ?? '');
    return url ? [{ network, url }] : [];
  });
  return { ...draft, links, ownLinks: draft.ownLinks.flatMap(wholeLink) };
}

/** Maps validation messages to the form's field names. A message about a link belongs to its network. */
export function fieldErrors(byPath: Readonly<Record<string, string>>, body: WholeBody): Record<string, string> {
  return Object.fromEntries(
    Object.entries(byPath).map(([path, words]) => [
      path.replace(/^links\.(\d+)\..*$/, (_, index) => `links.${body.links[Number(index)]?.network}`),
      words,
    ]),
  );
}

export interface ProfileDraft {
  draft: Draft;
  shown: Profile;
  errors: Readonly<Record<string, string>>;
  isDirty: boolean;
  isSaving: boolean;
  change: (part: Partial<Draft>) => void;
  save: () => void;
}

export function useProfileDraft(profile: Profile): ProfileDraft {
  const [draft, setDraft] = useState(() => draftOf(profile));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [coverUrl, setCoverUrl] = useState(profile.cover?.url);
  const client = useQueryClient();
  const body = bodyOf(draft);
  const isDirty = JSON.stringify(body) !== JSON.stringify(bodyOf(draftOf(profile)));
  if (coverUrl !== profile.cover?.url) {
    setCoverUrl(profile.cover?.url);
    setDraft({ ...draft, coverFocus: profile.coverFocus });
  }
  const saving = useApiMutation(updateOwnProfile, {
    showErrorMessage: false,
    onSuccess: (saved) => {
      client.setQueryData(apiQuery(getOwnProfile, {}).queryKey, saved);
      setDraft(draftOf(saved));
      void showToast('Saved.', 'success');
    },
    onError: (error) => {
      const found = error instanceof ApiError ? fieldErrors(error.fields, body) : {};
      setErrors(found);
      if (Object.keys(found).length === 0) void showToast(error.message, 'error');
    },
  });
  return {
    draft,
    shown: { ...profile, ...body },
    errors,
    isDirty,
    isSaving: saving.isPending,
    change: (part) => {
      setDraft((known) => ({ ...known, ...part }));
      setErrors((known) =>
        Object.fromEntries(Object.entries(known).filter(([field]) => !((field.split('.')[0] ?? '') in part))),
      );
    },
    save: () => {
      const found = fieldErrors(complaints(profileBody, body), body);
      setErrors(found);
      if (Object.keys(found).length === 0 && !saving.isPending) saving.mutate({ body });
    },
  };
}
