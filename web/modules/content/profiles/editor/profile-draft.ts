import { getOwnProfile, type Profile, profileBody, updateOwnProfile } from '@stagedoor/contract/content/profiles.ts';
import { type CustomLink, type SocialNetwork, toNetworkUrl } from '@stagedoor/contract/content/social-links.ts';
import { SOCIAL_NETWORKS } from '@stagedoor/contract/shared/limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type * as z from 'zod/mini';
import { ApiError } from '../../../../platform/api-error.ts';
import { showToast } from '../../../../platform/feedback.ts';
import { validateFields } from '../../../../platform/forms.ts';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { apiQuery } from '../../../../platform/query.ts';
import * as texts from '../texts.ts';

export type ParsedProfileBody = z.output<typeof profileBody>;

export type ProfileFormValues = Omit<ParsedProfileBody, 'links'> & {
  links: Partial<Record<SocialNetwork, string>>;
};

export function toProfileFormValues(profile: Profile): ProfileFormValues {
  const { name, craft, city, bio, category, layout, shape, format, coverFocus, links, customLinks } = profile;
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
    customLinks,
    links: Object.fromEntries(links.map((link) => [link.network, link.url])),
  };
}

function toSentLinks({ label, url }: CustomLink): CustomLink[] {
  const address = url.trim();
  if (label.trim() === '' && address === '') return [];
  return [{ label, url: address === '' || address.includes(':') ? address : `https://${address}` }];
}

export function toProfileBody(draft: ProfileFormValues): ParsedProfileBody {
  const links = SOCIAL_NETWORKS.flatMap((network) => {
    const url = toNetworkUrl(network, draft.links[network] ?? '');
    return url ? [{ network, url }] : [];
  });
  return { ...draft, links, customLinks: draft.customLinks.flatMap(toSentLinks) };
}

/** Maps validation messages to the form's field names. A message about a link belongs to its network. */
export function toProfileErrors(
  errorsByPath: Readonly<Record<string, string>>,
  body: ParsedProfileBody,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errorsByPath).map(([path, message]) => [
      path.replace(/^links\.(\d+)\..*$/, (_, index) => `links.${body.links[Number(index)]?.network}`),
      message,
    ]),
  );
}

export interface ProfileDraft {
  draft: ProfileFormValues;
  preview: Profile;
  errors: Readonly<Record<string, string>>;
  isDirty: boolean;
  isSaving: boolean;
  change: (part: Partial<ProfileFormValues>) => void;
  save: () => void;
}

export function useProfileDraft(profile: Profile): ProfileDraft {
  const [draft, setDraft] = useState(() => toProfileFormValues(profile));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [coverUrl, setCoverUrl] = useState(profile.cover?.url);
  const client = useQueryClient();
  const body = toProfileBody(draft);
  const isDirty = JSON.stringify(body) !== JSON.stringify(toProfileBody(toProfileFormValues(profile)));
  if (coverUrl !== profile.cover?.url) {
    setCoverUrl(profile.cover?.url);
    setDraft({ ...draft, coverFocus: profile.coverFocus });
  }
  const saving = useApiMutation(updateOwnProfile, {
    showErrorMessage: false,
    onSuccess: (saved) => {
      client.setQueryData(apiQuery(getOwnProfile, {}).queryKey, saved);
      setDraft(toProfileFormValues(saved));
      void showToast(texts.saved, 'success');
    },
    onError: (error) => {
      const newErrors = error instanceof ApiError ? toProfileErrors(error.fields, body) : {};
      setErrors(newErrors);
      if (Object.keys(newErrors).length === 0) void showToast(error.message, 'error');
    },
  });
  return {
    draft,
    preview: { ...profile, ...body },
    errors,
    isDirty,
    isSaving: saving.isPending,
    change: (part) => {
      setDraft((previous) => ({ ...previous, ...part }));
      setErrors((previous) =>
        Object.fromEntries(Object.entries(previous).filter(([field]) => !((field.split('.')[0] ?? '') in part))),
      );
    },
    save: () => {
      const newErrors = toProfileErrors(validateFields(profileBody, body), body);
      setErrors(newErrors);
      if (Object.keys(newErrors).length === 0 && !saving.isPending) saving.mutate({ body });
    },
  };
}
