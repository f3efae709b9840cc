import { SOCIAL_NETWORK_DETAILS, toNetworkUrl } from '@stagedoor/contract/content/social-links.ts';
import { FORMATS, LAYOUTS, SHAPES } from '@stagedoor/contract/content/themes.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { BIO_LENGTH, CATEGORIES, SOCIAL_NETWORKS } from '@stagedoor/contract/shared/limits.ts';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { parseOption } from '../../../../platform/address.ts';
import { Button } from '../../../../ui/button.tsx';
import { Segmented } from '../../../../ui/choice.tsx';
import { SelectField, TextAreaField, TextField } from '../../../../ui/field.tsx';
import { formatNodes } from '../../../../ui/format-nodes.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import * as texts from '../texts.ts';
import { CustomLinkFields } from './custom-links.tsx';
import { type ProfileDraft, toProfileBody } from './profile-draft.ts';

const OPTION_LABELS = {
  classic: texts.classic,
  hero: texts.hero,
  box: texts.box,
  round: texts.round,
  col: texts.oneColumn,
  row: texts.grid,
} as const;
function AppearanceChoice<T extends keyof typeof OPTION_LABELS>({
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
        options={options.map((option) => ({ value: option, label: OPTION_LABELS[option] }))}
        onValueChange={(chosen) => {
          const option = parseOption(options, chosen);
          if (option) onChoose(option);
        }}
      />
    </div>
  );
}

type EditorProps = Pick<ProfileDraft, 'draft' | 'errors' | 'isDirty' | 'isSaving' | 'change' | 'save'> & {
  isVerified: boolean;
};

function LinkFields({ draft, errors, change }: Pick<EditorProps, 'draft' | 'errors' | 'change'>) {
  const hasError = Object.keys(errors).some((field) => field.startsWith('links.'));
  const [isOpen, setOpen] = useState(false);
  const count = toProfileBody(draft).links.length;
  return (
    <details
      className="group border-y border-line"
      open={isOpen || hasError}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-12 cursor-pointer items-center justify-between font-semibold">
        <span>
          {formatNodes(texts.linksSummary, {
            summary: count > 0 && <span className="num font-normal text-muted"> · {count}</span>,
          })}
        </span>
        <Icon name="chevron-down" className="group-open:rotate-180" />
      </summary>
      <div className="form pt-3 pb-5">
        <p className="text-small text-muted">{texts.linksHint}</p>
        {SOCIAL_NETWORKS.map((network) => (
          <TextField
            key={network}
            label={SOCIAL_NETWORK_DETAILS[network].name}
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            placeholder={`${SOCIAL_NETWORK_DETAILS[network].base}…`}
            value={draft.links[network] ?? ''}
            error={errors[`links.${network}`]}
            onChange={(event) => change({ links: { ...draft.links, [network]: event.currentTarget.value } })}
            onBlur={() =>
              change({ links: { ...draft.links, [network]: toNetworkUrl(network, draft.links[network] ?? '') } })
            }
          />
        ))}
      </div>
    </details>
  );
}

export function ProfileEditor({ draft, errors, isDirty, isSaving, isVerified, change, save }: EditorProps) {
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  return (
    <form ref={form} className="form" onSubmit={submit} noValidate>
      <TextField
        label={texts.name}
        required
        autoComplete="name"
        hint={isVerified ? texts.nameReviewHint : undefined}
        value={draft.name}
        error={errors.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <div className="form__pair">
        <TextField
          label={texts.whatYouDo}
          hint={texts.craftExample}
          value={draft.craft}
          error={errors.craft}
          onChange={(event) => change({ craft: event.currentTarget.value })}
        />
        <TextField
          label={texts.city}
          value={draft.city}
          error={errors.city}
          onChange={(event) => change({ city: event.currentTarget.value })}
        />
      </div>
      <TextAreaField
        label={texts.aboutYou}
        rows={5}
        counter={BIO_LENGTH}
        value={draft.bio}
        error={errors.bio}
        onChange={(event) => change({ bio: event.currentTarget.value })}
      />
      <SelectField
        label={texts.category}
        value={draft.category ?? ''}
        onChange={(event) =>
          change({ category: CATEGORIES.find((category) => category === event.currentTarget.value) ?? null })
        }
        options={[
          { value: '', label: 'None' },
          ...CATEGORIES.map((category) => ({ value: category, label: category })),
        ]}
      />
      <p className="field__hint">
        {formatNodes(texts.callSettingsHint, {
          link: (
            <UiLink href={PATHS.creatorCalls} className="link">
              {texts.calls}
            </UiLink>
          ),
        })}
      </p>
      <AppearanceChoice
        name="layout"
        label={texts.header}
        value={draft.layout}
        options={LAYOUTS}
        onChoose={(layout) => change({ layout })}
      />
      <AppearanceChoice
        name="shape"
        label={texts.photos}
        value={draft.shape}
        options={SHAPES}
        onChoose={(shape) => change({ shape })}
      />
      <AppearanceChoice
        name="format"
        label={texts.posts}
        value={draft.format}
        options={FORMATS}
        onChoose={(format) => change({ format })}
      />
      <LinkFields draft={draft} errors={errors} change={change} />
      <CustomLinkFields links={draft.customLinks} errors={errors} onChange={(customLinks) => change({ customLinks })} />
      <Button
        type="submit"
        variant={isDirty ? 'primary' : 'line'}
        size="lg"
        wide
        disabled={!isDirty}
        busy={isSaving}
        busyText={texts.saving}
      >
        {texts.save}
      </Button>
    </form>
  );
}
