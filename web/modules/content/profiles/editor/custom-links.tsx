import type { CustomLink } from '@stagedoor/contract/content/social-links.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CUSTOM_LINKS } from '@stagedoor/contract/shared/limits.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { TextField } from '../../../../ui/field.tsx';
import * as texts from '../texts.ts';

const isEmpty = ({ label, url }: CustomLink) => label.trim() === '' && url.trim() === '';

export function CustomLinkFields({
  links,
  errors,
  onChange,
}: {
  links: readonly CustomLink[];
  /** Keys are `customLinks.{index}.{field}`. Empty rows are not sent and have no index. */
  errors: Readonly<Record<string, string>>;
  onChange: (links: CustomLink[]) => void;
}) {
  const change = (index: number, part: Partial<CustomLink>) =>
    onChange(links.map((link, position) => (position === index ? { ...link, ...part } : link)));
  const toSentIndex = (index: number) => links.slice(0, index).filter((link) => !isEmpty(link)).length;
  return (
    <fieldset className="grid gap-4 border-b border-line pb-5">
      <legend className="pt-2 pb-1 font-semibold">{texts.otherLinks}</legend>
      <p className="text-small text-muted">{formatText(texts.otherLinksHint, { max: CUSTOM_LINKS.max })}</p>
      {links.map((link, index) => {
        const path = `customLinks.${toSentIndex(index)}`;
        const linkName = `link ${index + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: Rows are identified by position, because two may be equal while they are typed.
          <div key={index} className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2 gap-y-3">
            <div className="grid gap-3 sm:grid-cols-2">
              <TextField
                label={formatText(texts.titleOfLink, { linkName })}
                value={link.label}
                error={isEmpty(link) ? undefined : errors[`${path}.label`]}
                onChange={(event) => change(index, { label: event.currentTarget.value })}
              />
              <TextField
                label={formatText(texts.urlOfLink, { linkName })}
                inputMode="url"
                autoCapitalize="none"
                autoComplete="off"
                spellCheck={false}
                placeholder="https://…"
                value={link.url}
                error={isEmpty(link) ? undefined : errors[`${path}.url`]}
                onChange={(event) => change(index, { url: event.currentTarget.value })}
              />
            </div>
            <IconButton
              icon="trash"
              label={formatText(texts.removeLink, { linkName })}
              className="mt-6"
              onClick={() => onChange(links.filter((_, position) => position !== index))}
            />
          </div>
        );
      })}
      {links.length < CUSTOM_LINKS.max && (
        <Button
          icon="plus"
          variant="quiet"
          className="justify-self-start"
          onClick={() => onChange([...links, { label: '', url: '' }])}
        >
          {texts.addALink}
        </Button>
      )}
    </fieldset>
  );
}
