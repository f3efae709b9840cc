import type { TaggedUser } from '@stagedoor/contract/content/posts.ts';
import { listCreators } from '@stagedoor/contract/content/profiles.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { POST_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react';
import { apiQuery } from '../../../platform/query.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/class-names.ts';
import { Field } from '../../../ui/field.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import * as texts from './texts.ts';

const MAX_RESULTS = 6;

type CreatorSearch = { results: readonly TaggedUser[]; isSearching: boolean };

function useCreatorSearch(text: string, excludedIds: readonly string[]): CreatorSearch {
  const search = useDeferredValue(text.trim());
  const { data, isFetching } = useQuery({
    ...apiQuery(listCreators, { query: { search, limit: MAX_RESULTS + excludedIds.length } }),
    enabled: search.length > 1,
    placeholderData: keepPreviousData,
  });
  const results =
    search.length > 1 ? (data?.data ?? []).filter(({ id }) => !excludedIds.includes(id)).slice(0, MAX_RESULTS) : [];
  return { results, isSearching: isFetching };
}

export type TaggedUsersFieldProps = {
  value: readonly TaggedUser[];
  ownId: string;
  onChange: (results: TaggedUser[]) => void;
  error?: string | undefined;
};

export function TaggedUsersField({ value, ownId, onChange, error }: TaggedUsersFieldProps) {
  const listId = useId();
  const [text, setText] = useState('');
  const [position, setPosition] = useState(0);
  const { results, isSearching } = useCreatorSearch(text, [ownId, ...value.map(({ id }) => id)]);
  const isFull = value.length >= POST_LIMITS.people;
  const isOpen = text.trim().length > 1 && !isFull;
  const active = Math.min(position, Math.max(0, results.length - 1));
  const choose = ({ id, username, name, avatarUrl }: TaggedUser) => {
    onChange([...value, { id, username, name, avatarUrl }]);
    setText('');
    setPosition(0);
  };
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const user = results[active];
    if (event.key === 'Enter') {
      event.preventDefault();
      if (user) choose(user);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (results.length > 0) setPosition((active + step + results.length) % results.length);
    } else if (event.key === 'Escape') {
      setText('');
    }
  };
  return (
    <div className="relative grid gap-2">
      <Field
        label={texts.tagUsers}
        hint={isFull ? texts.tagLimitReached : texts.tagUsersHint}
        error={error}
        count={{ used: value.length, max: POST_LIMITS.people }}
      >
        {(controlProps) => (
          <input
            {...controlProps}
            className="input"
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && results[active] ? `${listId}-${active}` : undefined}
            value={text}
            disabled={isFull}
            autoComplete="off"
            maxLength={100}
            onKeyDown={handleKey}
            onBlur={() => setText('')}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setPosition(0);
            }}
          />
        )}
      </Field>
      <div className={cx('border border-line', !isOpen && 'hidden')}>
        <div id={listId} role="listbox" aria-label={texts.searchResults}>
          {results.map((user, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field
            <div
              key={user.id}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              className={cx('flex min-h-14 cursor-pointer items-center gap-3 px-3', index === active && 'bg-surface-2')}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(user)}
            >
              <Avatar name={user.name} src={user.avatarUrl} size="s" />
              <span className="one-line">{user.name}</span>
              <span className="one-line text-small text-muted">@{user.username}</span>
            </div>
          ))}
        </div>
        {results.length === 0 && (
          <p role="status" className="px-3 py-4 text-small text-muted">
            {isSearching ? texts.searching : texts.noMatchingCreators}
          </p>
        )}
      </div>
      {value.length > 0 && (
        <Rows closed label={texts.taggedUsers}>
          {value.map((user) => (
            <Row
              key={user.id}
              lead={<Avatar name={user.name} src={user.avatarUrl} />}
              title={user.name}
              sub={`@${user.username}`}
              end={
                <IconButton
                  quiet
                  icon="close"
                  label={formatText(texts.removeTaggedUser, { name: user.name })}
                  onClick={() => onChange(value.filter(({ id }) => id !== user.id))}
                />
              }
            />
          ))}
        </Rows>
      )}
    </div>
  );
}
