import { POST_LIMITS } from '@stagedoor/contract/atoms/limits.ts';
import { tag } from '@stagedoor/contract/atoms/tags.ts';
import { check } from '@stagedoor/contract/atoms/words.ts';
import { type KeyboardEvent, useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Splits text at spaces, commas and `#`. `complaint` describes the first invalid tag. */
export function readTags(text: string): { tags: string[]; complaint: string | undefined } {
  const tags: string[] = [];
  for (const word of text.split(/[\s,#]+/).filter(Boolean)) {
    const parsed = check(tag, word);
    if (!parsed.success) return { tags, complaint: `${word}: ${parsed.error.issues[0]?.message ?? 'not a tag'}` };
    if (!tags.includes(parsed.data)) tags.push(parsed.data);
  }
  return { tags, complaint: undefined };
}

export type TagsFieldProps = {
  value: readonly string[];
  onChange: (tags: string[]) => void;
  error?: string | undefined;
};

export function TagsField({ value, onChange, error }: TagsFieldProps) {
  const [text, setText] = useState('');
  const [complaint, setComplaint] = useState<string | undefined>();
  const [said, setSaid] = useState('');
  const add = (words: string) => {
    const read = readTags(words);
    const fresh = read.tags.filter((each) => !value.includes(each));
    const room = POST_LIMITS.tags - value.length;
    if (fresh.length > 0) onChange([...value, ...fresh.slice(0, room)]);
    setComplaint(read.complaint ?? (fresh.length > room ? `At most ${POST_LIMITS.tags} tags` : undefined));
    setText(read.complaint === undefined ? '' : words.trim());
    if (fresh.length > 0) setSaid(`Added ${fresh.slice(0, room).join(', ')}.`);
  };
  const remove = (gone: string) => {
    onChange(value.filter((each) => each !== gone));
    setSaid(`Removed ${gone}.`);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
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
        label="Tags"
        hint="Press Enter or comma to add."
        error={complaint ?? error}
        count={{ used: value.length, max: POST_LIMITS.tags }}
      >
        {(wired) => (
          <input
            {...wired}
            className="input"
            value={text}
            autoComplete="off"
            autoCapitalize="none"
            enterKeyHint="enter"
            onKeyDown={press}
            onBlur={() => text.trim() !== '' && add(text)}
            onChange={(event) => {
              const typed = event.currentTarget.value;
              setComplaint(undefined);
              if (/[\s,]/.test(typed) && typed.trim() !== '') add(typed);
              else setText(typed);
            }}
          />
        )}
      </Field>
      {value.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="Selected tags">
          {value.map((each) => (
            <li key={each}>
              <button type="button" className="chip" aria-label={`Remove tag ${each}`} onClick={() => remove(each)}>
                {each}
                <Icon name="close" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  );
}
