import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { POST_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { tag } from '@stagedoor/contract/shared/tags.ts';
import { validate } from '@stagedoor/contract/shared/validation.ts';
import { type KeyboardEvent, useState } from 'react';
import { Field } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import * as texts from './texts.ts';

export type TypedTags = {
  tags: string[];
  /** What could not be added, from the first problem on. */
  rest: string;
  problem: string | undefined;
};

/** Adds the tags of a text, which is split at spaces, commas and `#`. */
export function addTypedTags(existingTags: readonly string[], text: string): TypedTags {
  const tags = [...existingTags];
  const parts = text.split(/[\s,#]+/).filter(Boolean);
  for (const [index, part] of parts.entries()) {
    const parsed = validate(tag, part);
    const rest = parts.slice(index).join(' ');
    if (!parsed.success) return { tags, rest, problem: `${part}: ${parsed.error.issues[0]?.message ?? texts.notATag}` };
    if (tags.includes(parsed.data)) continue;
    if (tags.length >= POST_LIMITS.tags)
      return { tags, rest, problem: formatText(texts.tagCountLimit, { tags: POST_LIMITS.tags }) };
    tags.push(parsed.data);
  }
  return { tags, rest: '', problem: undefined };
}

export type TagsFieldProps = {
  value: readonly string[];
  /** What is typed and not added yet. */
  text: string;
  onChange: (change: { tags?: string[]; text?: string }) => void;
  error?: string | undefined;
};

export function TagsField({ value, text, onChange, error }: TagsFieldProps) {
  const [isProblemShown, setIsProblemShown] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const problem = isProblemShown ? addTypedTags(value, text).problem : undefined;
  const add = (input: string) => {
    const { tags, rest } = addTypedTags(value, input);
    const newTags = tags.slice(value.length);
    onChange({ tags, text: rest });
    setIsProblemShown(true);
    if (newTags.length > 0) setAnnouncement(formatText(texts.tagsAdded, { newTags: newTags.join(', ') }));
  };
  const remove = (removed: string) => {
    onChange({ tags: value.filter((each) => each !== removed) });
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
              if (/[\s,]/.test(newText) && newText.trim() !== '') return add(newText);
              setIsProblemShown(false);
              onChange({ text: newText });
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
