import { SOCIAL_NETWORK_DETAILS, toNetworkUrl } from '@stagedoor/contract/content/social-links.ts';
import { FORMATS, LAYOUTS, SHAPES } from '@stagedoor/contract/content/themes.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { BIO_LENGTH, CATEGORIES, SOCIAL_NETWORKS } from '@stagedoor/contract/shared/limits.ts';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { parseOption } from '../../../../platform/address.ts';
import { Button } from '../../../../ui/button.tsx';
import { Segmented } from '../../../../ui/choice.tsx';
import { SelectField, TextAreaField, TextField } from '../../../../ui/field.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { CustomLinkFields } from './custom-links.tsx';
import { type ProfileDraft, toProfileBody } from './profile-draft.ts';

const OPTION_LABELS = {
  classic: 'Classic',
  hero: 'Hero',
  box: 'Box',
  round: 'Round',
  col: 'One column',
  row: 'Grid',
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
        <span>Links{count > 0 && <span className="num font-normal text-muted"> · {count}</span>}</span>
        <Icon name="chevron-down" className="group-open:rotate-180" />
      </summary>
      <div className="form pt-3 pb-5">
        <p className="text-small text-muted">Enter your username or a full link.</p>
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
        label="Name"
        required
        autoComplete="name"
        hint={isVerified ? 'We review new names before showing the verified badge.' : undefined}
        value={draft.name}
        error={errors.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <div className="form__pair">
        <TextField
          label="What you do"
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
      <p className="field__hint">
        Set your call prices and hours in{' '}
        <UiLink href={PATHS.creatorCalls} className="link">
          Calls
        </UiLink>
        .
      </p>
      <AppearanceChoice
        name="layout"
        label="Header"
        value={draft.layout}
        options={LAYOUTS}
        onChoose={(layout) => change({ layout })}
      />
      <AppearanceChoice
        name="shape"
        label="Photos"
        value={draft.shape}
        options={SHAPES}
        onChoose={(shape) => change({ shape })}
      />
      <AppearanceChoice
        name="format"
        label="Posts"
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
        busyText="Saving…"
      >
        Save
      </Button>
    </form>
  );
}
