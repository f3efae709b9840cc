import { POST_LIMITS } from '@stagedoor/contract/atoms/limits.ts';
import type { Person } from '@stagedoor/contract/posts.ts';
import { listCreators } from '@stagedoor/contract/profiles.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react';
import { apiQuery } from '../../kernel/query.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { Field } from '../../ui/field.tsx';
import { Row, Rows } from '../../ui/rows.tsx';

const SHOWN = 6;

type Found = { people: readonly Person[]; isLooking: boolean };

function useFound(text: string, without: readonly string[]): Found {
  const search = useDeferredValue(text.trim());
  const { data, isFetching } = useQuery({
    ...apiQuery(listCreators, { query: { search, limit: SHOWN + without.length } }),
    enabled: search.length > 1,
    placeholderData: keepPreviousData,
  });
  const people = search.length > 1 ? (data?.data ?? []).filter(({ id }) => !without.includes(id)).slice(0, SHOWN) : [];
  return { people, isLooking: isFetching };
}

export type PeopleFieldProps = {
  value: readonly Person[];
  ownId: string;
  onChange: (people: Person[]) => void;
  error?: string | undefined;
};

export function PeopleField({ value, ownId, onChange, error }: PeopleFieldProps) {
  const listId = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { people, isLooking } = useFound(text, [ownId, ...value.map(({ id }) => id)]);
  const isFull = value.length >= POST_LIMITS.people;
  const isOpen = text.trim().length > 1 && !isFull;
  const active = Math.min(at, Math.max(0, people.length - 1));
  const choose = ({ id, username, name, avatarUrl }: Person) => {
    onChange([...value, { id, username, name, avatarUrl }]);
    setText('');
    setAt(0);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const person = people[active];
    if (event.key === 'Enter') {
      event.preventDefault();
      if (person) choose(person);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const by = event.key === 'ArrowDown' ? 1 : -1;
      if (people.length > 0) setAt((active + by + people.length) % people.length);
    } else if (event.key === 'Escape') {
      setText('');
    }
  };
  return (
    <div className="relative grid gap-2">
      <Field
        label="Tag people"
        hint={isFull ? 'You can’t tag more people.' : 'Search creators by name. They can remove themselves.'}
        error={error}
        count={{ used: value.length, max: POST_LIMITS.people }}
      >
        {(wired) => (
          <input
            {...wired}
            className="input"
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && people[active] ? `${listId}-${active}` : undefined}
            value={text}
            disabled={isFull}
            autoComplete="off"
            maxLength={100}
            onKeyDown={press}
            onBlur={() => setText('')}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setAt(0);
            }}
          />
        )}
      </Field>
      <div className={cx('border border-line', !isOpen && 'hidden')}>
        <div id={listId} role="listbox" aria-label="Search results">
          {people.map((person, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field
            <div
              key={person.id}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              className={cx('flex min-h-14 cursor-pointer items-center gap-3 px-3', index === active && 'bg-surface-2')}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(person)}
            >
              <Avatar name={person.name} src={person.avatarUrl} size="s" />
              <span className="one-line">{person.name}</span>
              <span className="one-line text-small text-muted">@{person.username}</span>
            </div>
          ))}
        </div>
        {people.length === 0 && (
          <p role="status" className="px-3 py-4 text-small text-muted">
            {isLooking ? 'Searching…' : 'No creators found.'}
          </p>
        )}
      </div>
      {value.length > 0 && (
        <Rows closed label="Tagged people">
          {value.map((person) => (
            <Row
              key={person.id}
              lead={<Avatar name={person.name} src={person.avatarUrl} />}
              title={person.name}
              sub={`@${person.username}`}
              end={
                <IconButton
                  quiet
                  icon="close"
                  label={`Remove ${person.name}`}
                  onClick={() => onChange(value.filter(({ id }) => id !== person.id))}
                />
              }
            />
          ))}
        </Rows>
      )}
    </div>
  );
}
