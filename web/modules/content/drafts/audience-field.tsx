import type { PostAudience } from '@stagedoor/contract/content/post-details.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { useAudienceOptions } from '../../../platform/post-audience.ts';
import { SelectField } from '../../../ui/field.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { UiLink } from '../../../ui/link.tsx';
import * as texts from './texts.ts';

export type AudienceFieldProps = {
  value: PostAudience;
  onChange: (value: PostAudience) => void;
  error: string | undefined;
};

export function AudienceField({ value, onChange, error }: AudienceFieldProps) {
  const options = useAudienceOptions();
  if (!options) return null;
  // Without tiers the field is still needed to leave one that was deleted.
  if (options.length === 1 && value === 'none')
    return (
      <p className="text-small text-muted">
        {formatNodes(texts.noTiersHint, {
          link: (
            <UiLink href={PATHS.creatorSubscriptionTiers} className="text-ink underline underline-offset-4">
              {texts.setUpTiers}
            </UiLink>
          ),
        })}
      </p>
    );
  const selected = options.find((option) => option.value === value);
  return (
    <SelectField
      label={texts.whoCanOpenIt}
      hint={selected?.hint}
      error={error ?? (selected ? undefined : texts.tierGone)}
      value={selected ? value : ''}
      placeholder={selected ? undefined : texts.chooseWhoCanOpenIt}
      options={options.map(({ value, label }) => ({ value, label }))}
      onChange={(event) => {
        const chosen = options.find((option) => option.value === event.currentTarget.value);
        if (chosen) onChange(chosen.value);
      }}
    />
  );
}
