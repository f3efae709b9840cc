/** The words and the hanging of a profile: validated by the contract, previewed as they are typed. */
import { BIO_LENGTH, CALL_RATE_CENTS, CATEGORIES, SOCIAL_NETWORKS } from '@stagedoor/contract/atoms/limits.ts';
import { cleanNumber, formatCents } from '@stagedoor/contract/atoms/money.ts';
import {
  FORMATS,
  getOwnProfile,
  LAYOUTS,
  type Profile,
  profileBody,
  SHAPES,
  updateOwnProfile,
} from '@stagedoor/contract/profiles.ts';
import { networkAddress } from '@stagedoor/contract/social.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type * as z from 'zod/mini';
import { oneOf } from '../../kernel/address.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { complaints } from '../../kernel/forms.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { say } from '../../kernel/outcome.ts';
import { apiQuery } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choice.tsx';
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';

const WORDS = { classic: 'Classic', hero: 'Hero', box: 'Box', round: 'Round', col: 'One column', row: 'Wall' } as const;
const NETWORK_NAMES: Record<(typeof SOCIAL_NETWORKS)[number], string> = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  pinterest: 'Pinterest',
  reddit: 'Reddit',
  snapchat: 'Snapchat',
  spotify: 'Spotify',
  tiktok: 'TikTok',
  twitch: 'Twitch',
  twitter: 'Twitter',
  x: 'X',
  youtube: 'YouTube',
};

/** A whole profile, as the contract has it after its defaults. */
export type WholeBody = z.output<typeof profileBody>;

type Draft = Omit<WholeBody, 'callRate' | 'links'> & {
  callRate: string;
  links: Partial<Record<(typeof SOCIAL_NETWORKS)[number], string>>;
};

function draftOf(profile: Profile): Draft {
  const { name, craft, city, bio, category, layout, shape, format, coverFocus, callRate, links } = profile;
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
    callRate: callRate === null ? '' : callRate.toFixed(2),
    links: Object.fromEntries(links.map((link) => [link.network, link.url])),
  };
}

/** The draft as the call takes it; empty links and an empty rate are left out. */
export function bodyOf(draft: Draft): WholeBody {
  const links = SOCIAL_NETWORKS.flatMap((network) => {
    const url = networkAddress(network, draft.links[network] ?? '');
    return url ? [{ network, url }] : [];
  });
  return { ...draft, callRate: draft.callRate.trim() === '' ? null : cleanNumber(draft.callRate), links };
}

/** Complaints by the form's own field names: a link's complaint belongs to its network. */
function errorsOf(body: WholeBody): Record<string, string> {
  const byPath = complaints(profileBody, body);
  return Object.fromEntries(
    Object.entries(byPath).map(([path, words]) => [
      path.replace(/^links\.(\d+)\..*$/, (_, index) => `links.${body.links?.[Number(index)]?.network}`),
      words,
    ]),
  );
}

/** One choice about how the page looks, under its name. */
function LookChoice<T extends keyof typeof WORDS>({
  name,
  label,
  value,
  options,
  onChoose,
}: {
  name: string;
  label: string;
  value: T;
  options: readonly T[];
  onChoose: (value: T) => void;
}) {
  const id = useId();
  return (
    <div>
      <span className="field__label" id={id}>
        {label}
      </span>
      <Segmented
        name={name}
        labelledBy={id}
        value={value}
        options={options.map((each) => ({ value: each, label: WORDS[each] }))}
        onValueChange={(chosen) => {
          const found = oneOf(options, chosen);
          if (found) onChoose(found);
        }}
      />
    </div>
  );
}

export function ProfileEditor({ profile, onDraft }: { profile: Profile; onDraft: (draft: WholeBody) => void }) {
  const [draft, setDraft] = useState(() => draftOf(profile));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const client = useQueryClient();
  const save = useApiMutation(updateOwnProfile, {
    onSuccess: (saved) => {
      client.setQueryData(apiQuery(getOwnProfile, {}).queryKey, saved);
      void say('Saved.', 'success');
    },
    onError: (error) => error instanceof ApiError && setErrors({ ...error.fields }),
  });
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    onDraft(bodyOf(next));
    setErrors((known) =>
      Object.fromEntries(Object.entries(known).filter(([field]) => !((field.split('.')[0] ?? '') in part))),
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = bodyOf(draft);
    const found = errorsOf(body);
    setErrors(found);
    if (Object.keys(found).length === 0 && !save.isPending) save.mutate({ body });
  };
  return (
    <form className="form" onSubmit={submit} noValidate>
      <TextField
        label="Name"
        required
        autoComplete="name"
        value={draft.name}
        error={errors.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <div className="form__pair">
        <TextField
          label="Craft"
          hint="Ceramicist, dancer, chef"
          value={draft.craft}
          error={errors.craft}
          onChange={(event) => change({ craft: event.currentTarget.value })}
        />
        <TextField
          label="City"
          value={draft.city}
          error={errors.city}
          onChange={(event) => change({ city: event.currentTarget.value })}
        />
      </div>
      <TextAreaField
        label="About you"
        rows={5}
        counter={BIO_LENGTH}
        value={draft.bio}
        error={errors.bio}
        onChange={(event) => change({ bio: event.currentTarget.value })}
      />
      <SelectField
        label="Category"
        value={draft.category ?? ''}
        onChange={(event) =>
          change({ category: CATEGORIES.find((category) => category === event.currentTarget.value) ?? null })
        }
        options={[
          { value: '', label: 'None' },
          ...CATEGORIES.map((category) => ({ value: category, label: category })),
        ]}
      />
      <TextField
        label="Your rate for calls, a minute"
        prefix="$"
        inputMode="decimal"
        hint={`Shown on your profile. From ${formatCents(CALL_RATE_CENTS.min)} to ${formatCents(CALL_RATE_CENTS.max)}; leave it empty to show none.`}
        value={draft.callRate}
        error={errors.callRate}
        onChange={(event) => change({ callRate: event.currentTarget.value })}
      />
      <LookChoice
        name="layout"
        label="Top of the page"
        value={draft.layout}
        options={LAYOUTS}
        onChoose={(layout) => change({ layout })}
      />
      <LookChoice
        name="shape"
        label="Pictures"
        value={draft.shape}
        options={SHAPES}
        onChoose={(shape) => change({ shape })}
      />
      <LookChoice
        name="format"
        label="Posts"
        value={draft.format}
        options={FORMATS}
        onChoose={(format) => change({ format })}
      />
      <details className="group border-y border-line">
        <summary className="flex min-h-12 cursor-pointer items-center justify-between font-semibold">
          Links elsewhere
          <Icon name="chevron-down" className="group-open:rotate-180" />
        </summary>
        <div className="form pt-3 pb-5">
          {SOCIAL_NETWORKS.map((network) => (
            <TextField
              key={network}
              label={NETWORK_NAMES[network]}
              inputMode="url"
              placeholder="https://"
              value={draft.links[network] ?? ''}
              error={errors[`links.${network}`]}
              onChange={(event) => change({ links: { ...draft.links, [network]: event.currentTarget.value } })}
            />
          ))}
        </div>
      </details>
      <Button type="submit" variant="primary" size="lg" wide busy={save.isPending} busyText="Saving…">
        Save
      </Button>
    </form>
  );
}
