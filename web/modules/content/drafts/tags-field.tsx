import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { POST_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { tag } from '@stagedoor/contract/shared/tags.ts';
import { validate } from '@stagedoor/contract/shared/validation.ts';
import { type KeyboardEvent, useState } from 'react';
import { Field } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import * as texts from './texts.ts';

/** Splits text at spaces, commas and `#`. `problem` describes the first invalid tag. */
export function parseTags(text: string): { tags: string[]; problem: string | undefined } {
  const tags: string[] = [];
  for (const word of text.split(/[\s,#]+/).filter(Boolean)) {
    const parsed = validate(tag, word);
    if (!parsed.success) return { tags, problem: `${word}: ${parsed.error.issues[0]?.message ?? texts.notATag}` };
    if (!tags.includes(parsed.data)) tags.push(parsed.data);
  }
  return { tags, problem: undefined };
}

export type TagsFieldProps = {
  value: readonly string[];
  onChange: (tags: string[]) => void;
  error?: string | undefined;
};

export function TagsField({ value, onChange, error }: TagsFieldProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  const [announcement, setAnnouncement] = useState('');
  const add = (input: string) => {
    const result = parseTags(input);
    const newTags = result.tags.filter((each) => !value.includes(each));
    const freeSlots = POST_LIMITS.tags - value.length;
    if (newTags.length > 0) onChange([...value, ...newTags.slice(0, freeSlots)]);
    setProblem(
      result.problem ??
        (newTags.length > freeSlots ? formatText(texts.tagCountLimit, { tags: POST_LIMITS.tags }) : undefined),
    );
    setText(result.problem === undefined ? '' : input.trim());
    if (newTags.length > 0)
      setAnnouncement(formatText(texts.tagsAdded, { newTags: newTags.slice(0, freeSlots).join(', ') }));
  };
  const remove = (removed: string) => {
    onChange(value.filter((each) => each !== removed));
    setAnnouncement(formatText(texts.tagRemoved, { tag: removed }));
  };
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const last = value.at(-1);
    if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && text === '' && last !== undefined) {
      remove(last);
    }
  };
  return (
    <div className="grid gap-2">
      <Field
        label={texts.tags}
        hint={texts.tagsHint}
        error={problem ?? error}
        count={{ used: value.length, max: POST_LIMITS.tags }}
      >
        {(controlProps) => (
          <input
            {...controlProps}
            className="input"
            value={text}
            autoComplete="off"
            autoCapitalize="none"
            enterKeyHint="enter"
            onKeyDown={handleKey}
            onBlur={() => text.trim() !== '' && add(text)}
            onChange={(event) => {
              const newText = event.currentTarget.value;
              setProblem(undefined);
              if (/[\s,]/.test(newText) && newText.trim() !== '') add(newText);
              else setText(newText);
            }}
          />
        )}
      </Field>
      {value.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label={texts.selectedTags}>
          {value.map((each) => (
            <li key={each}>
              <button
                type="button"
                className="chip"
                aria-label={formatText(texts.removeTag, { tag: each })}
                onClick={() => remove(each)}
              >
                {each}
                <Icon name="close" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </div>
  );
}
