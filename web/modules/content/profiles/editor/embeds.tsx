import { EMBED_POLICIES, getEmbedSettings, updateEmbedSettings } from '@stagedoor/contract/content/embed-settings.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { parseOption } from '../../../../platform/address.ts';
import { showToast } from '../../../../platform/feedback.ts';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { apiQuery } from '../../../../platform/query.ts';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { Button } from '../../../../ui/button.tsx';
import { RadioRows } from '../../../../ui/choice.tsx';
import { TextAreaField } from '../../../../ui/field.tsx';
import { ErrorState, SkeletonRows } from '../../../../ui/states.tsx';
import * as texts from '../texts.ts';

export const embedsQuery = () => apiQuery(getEmbedSettings, {});

const CHOICES = [
  { value: 'any', title: texts.anySite, sub: texts.anySiteHint },
  { value: 'named', title: texts.onlySitesIChoose, sub: texts.chosenSitesHint },
  { value: 'none', title: texts.noSite, sub: texts.noSiteHint },
] as const;

type EmbedDraft = { allowed: (typeof EMBED_POLICIES)[number]; origins: string };

const parseOrigins = (text: string) =>
  text
    .split(/[\s,]+/)
    .map((line) => line.trim().replace(/\/$/, ''))
    .filter((line) => line !== '');

export function EmbedsForm() {
  const client = useQueryClient();
  const settings = useQuery(embedsQuery());
  const [draft, setDraft] = useState<EmbedDraft>();
  const save = useApiMutation(updateEmbedSettings, {
    showErrorMessage: false,
    onSuccess: (saved) => {
      client.setQueryData(embedsQuery().queryKey, saved);
      setDraft(undefined);
      void showToast(texts.saved, 'success');
    },
  });
  useUnsavedChanges(draft !== undefined, save.isPending);
  if (!settings.data)
    return settings.isError ? <ErrorState onRetry={() => void settings.refetch()} /> : <SkeletonRows count={3} />;
  const { allowed, origins } = draft ?? { allowed: settings.data.allowed, origins: settings.data.origins.join('\n') };
  const namedOrigins = parseOrigins(origins);
  const error =
    save.error?.message ?? (allowed === 'named' && namedOrigins.length === 0 ? texts.addAtLeastOneSite : undefined);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (allowed === 'named' && namedOrigins.length === 0) return;
    save.mutate({ body: { allowed, origins: allowed === 'named' ? namedOrigins : [] } });
  };
  return (
    <form className="form" onSubmit={send}>
      <RadioRows
        plain
        name="embeds"
        labelledBy="embeds-title"
        choices={CHOICES}
        value={allowed}
        onValueChange={(value) => setDraft({ allowed: parseOption(EMBED_POLICIES, value) ?? allowed, origins })}
      />
      {allowed === 'named' && (
        <TextAreaField
          label={texts.sitesOnePerLine}
          hint={texts.sitesExample}
          rows={3}
          spellCheck={false}
          autoCapitalize="none"
          value={origins}
          error={draft && error}
          onChange={(event) => setDraft({ allowed, origins: event.currentTarget.value })}
        />
      )}
      <Button
        type="submit"
        className="justify-self-start"
        disabled={draft === undefined}
        busy={save.isPending}
        busyText={texts.saving}
      >
        {texts.save}
      </Button>
    </form>
  );
}
