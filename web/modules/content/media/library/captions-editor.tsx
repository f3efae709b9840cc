import { addCaptions, type MediaDetail, removeCaptions } from '@stagedoor/contract/content/media.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CAPTIONS_MAX_BYTES } from '@stagedoor/contract/shared/module-limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useId, useState } from 'react';
import { ApiError } from '../../../../platform/api-error.ts';
import { formatBytes } from '../../../../platform/bytes.ts';
import { formatCount } from '../../../../platform/dates.ts';
import { showToast } from '../../../../platform/feedback.ts';
import { api, useApiMutation } from '../../../../platform/mutation.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialog.tsx';
import { Field, SelectField } from '../../../../ui/field.tsx';
import { SectionHead } from '../../../../ui/label.tsx';
import { Row, Rows } from '../../../../ui/rows.tsx';
import * as texts from '../texts.ts';
import { mediaQuery } from './queries.ts';

const LANGUAGES = [
  'en',
  'es',
  'pt',
  'fr',
  'de',
  'it',
  'nl',
  'pl',
  'vi',
  'ja',
  'ko',
  'zh',
  'ar',
  'hi',
  'tr',
  'ru',
  'uk',
  'sv',
];

/** Returns the name of a language in that language, such as "Português". */
export function formatLanguage(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language', fallback: 'code' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

export function findCaptionsError(file: Pick<File, 'name' | 'size'> | undefined): string | undefined {
  if (!file) return texts.chooseAFile;
  if (!/\.(?:vtt|srt)$/i.test(file.name)) return texts.captionsFormatError;
  if (file.size === 0) return formatText(texts.fileEmptyError, { name: file.name });
  return file.size > CAPTIONS_MAX_BYTES
    ? formatText(texts.fileTooLargeError, { name: file.name, maxSize: formatBytes(CAPTIONS_MAX_BYTES) })
    : undefined;
}

function useAddCaptions({ id }: Pick<MediaDetail, 'id'>) {
  const client = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const add = async (language: string, file: File | undefined): Promise<boolean> => {
    const problem = findCaptionsError(file);
    setError(problem);
    if (problem || !file || isBusy) return false;
    setIsBusy(true);
    const form = new FormData();
    // The fields precede the file so that the server knows them when the file arrives.
    form.set('language', language);
    form.set('label', formatLanguage(language));
    form.set('file', file);
    try {
      client.setQueryData(
        mediaQuery(id).queryKey,
        await api(addCaptions, { params: { id } }, { form, showErrorMessage: false }),
      );
      void showToast(texts.captionsAdded, 'success');
      return true;
    } catch (error) {
      setError(error instanceof ApiError ? error.message : texts.uploadFailedTryAgain);
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, error, add };
}

function RemoveCaptionsDialog({
  media,
  language,
  onDone,
}: {
  media: MediaDetail;
  language: string;
  onDone: () => void;
}) {
  const client = useQueryClient();
  const remove = useApiMutation(removeCaptions, {
    onSuccess: (changed) => {
      client.setQueryData(mediaQuery(media.id).queryKey, changed);
      onDone();
    },
  });
  return (
    <ConfirmDialog
      open={language !== ''}
      onOpenChange={onDone}
      title={texts.removeCaptionsQuestion}
      lead={formatText(texts.removeCaptionsConsequence, { language: formatLanguage(language || 'en') })}
      confirmText={texts.remove}
      danger
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { id: media.id, language } })}
    />
  );
}

export function CaptionsEditor({ media }: { media: MediaDetail }) {
  const [language, setLanguage] = useState('en');
  const [file, setFile] = useState<File>();
  const [count, setCount] = useState(0);
  const [removed, setRemoved] = useState('');
  const { isBusy, error, add } = useAddCaptions(media);
  const headId = useId();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!(await add(language, file))) return;
    setFile(undefined);
    // A new key replaces the file input, because an input cannot forget its file otherwise.
    setCount((before) => before + 1);
  };
  return (
    <section aria-labelledby={headId}>
      <SectionHead id={headId} title={texts.captions} />
      {media.captions.length > 0 && (
        <Rows label={texts.captions} closed className="mb-5">
          {media.captions.map((track) => (
            <Row
              key={track.language}
              title={track.label}
              sub={track.language}
              end={
                <IconButton
                  icon="trash"
                  quiet
                  label={formatText(texts.removeLanguageCaptions, { label: track.label })}
                  onClick={() => setRemoved(track.language)}
                />
              }
            />
          ))}
        </Rows>
      )}
      {media.leftOutSubtitles > 0 && (
        <p className="pb-4 text-small text-muted">
          {formatText(texts.leftOutSubtitles, { trackCount: formatCount(media.leftOutSubtitles, 'subtitle track') })}
        </p>
      )}
      <form className="form" onSubmit={(event) => void submit(event)} noValidate>
        <div className="form__pair">
          <SelectField
            label={texts.language}
            value={language}
            onChange={(event) => setLanguage(event.currentTarget.value)}
            options={LANGUAGES.map((value) => ({ value, label: formatLanguage(value) }))}
          />
          <Field label={texts.file} hint={texts.webvttOrSubrip} error={error}>
            {(controlProps) => (
              <input
                {...controlProps}
                key={count}
                type="file"
                accept=".vtt,.srt,text/vtt,application/x-subrip"
                className="input"
                onChange={(event) => setFile(event.currentTarget.files?.[0])}
              />
            )}
          </Field>
        </div>
        <div>
          <Button type="submit" icon="plus" busy={isBusy} busyText={texts.uploading}>
            {media.captions.some((track) => track.language === language) ? texts.replaceCaptions : texts.addCaptions}
          </Button>
        </div>
      </form>
      <RemoveCaptionsDialog media={media} language={removed} onDone={() => setRemoved('')} />
    </section>
  );
}
