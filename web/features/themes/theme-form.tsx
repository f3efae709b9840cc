import { twinOf } from '@stagedoor/contract/theme-colours.ts';
import { COVERS, FORMATS, LAYOUTS, RADII, SHAPES, type Theme, TYPE_PAIRS } from '@stagedoor/contract/themes.ts';
import { useId } from 'react';
import { oneOf } from '../../kernel/address.ts';
import { Segmented } from '../../ui/choice.tsx';
import { THEME_FACES } from '../../ui/fonts/theme-faces.ts';
import { ColourField, type Named } from './colour-field.tsx';
import type { ThemeDraft } from './theme-draft.ts';
import { COVER_WORDS, FORMAT_WORDS, LAYOUT_WORDS, SHAPE_WORDS, TYPE_WORDS } from './words.ts';

const ACCENTS: readonly Named[] = [
  { name: 'Celadon', colour: '#2f5d50' },
  { name: 'Cobalt', colour: '#2340a8' },
  { name: 'Plum', colour: '#6d2a7d' },
  { name: 'Oxblood', colour: '#8c1f1a' },
  { name: 'Umber', colour: '#6b4413' },
  { name: 'Amber', colour: '#ffc46b' },
  { name: 'Coral', colour: '#ff9b7a' },
  { name: 'Lilac', colour: '#c58bff' },
];
const BACKGROUNDS: readonly Named[] = [
  { name: 'Paper', colour: '#ffffff' },
  { name: 'Bone', colour: '#f4f1ea' },
  { name: 'Mist', colour: '#e6edf2' },
  { name: 'Blush', colour: '#fdeee9' },
  { name: 'Sage', colour: '#e9efe2' },
  { name: 'Pine', colour: '#0b3b3a' },
  { name: 'Plum', colour: '#150a2b' },
  { name: 'Night', colour: '#0c1024' },
];
const TWINS = ['made', 'same', 'own'] as const;
const TWIN_WORDS = { made: 'Automatic', same: 'Same colors', own: 'Custom' } as const;

function Choose<T extends string>({
  name,
  label,
  hint,
  value,
  options,
  words,
  onChoose,
}: {
  name: string;
  label: string;
  hint?: string;
  value: T;
  options: readonly T[];
  words: Readonly<Record<T, string>>;
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
        options={options.map((each) => ({ value: each, label: words[each] }))}
        onValueChange={(chosen) => {
          const found = oneOf(options, chosen);
          if (found) onChoose(found);
        }}
      />
      {hint && <p className="pt-2 text-small text-muted">{hint}</p>}
    </div>
  );
}

function Types({ value, onChoose }: { value: Theme['type']; onChoose: (type: Theme['type']) => void }) {
  return (
    <fieldset className="types">
      <legend className="field__label">Font</legend>
      {/* Font names are written in the fonts themselves. */}
      <style>
        {Object.values(THEME_FACES)
          .map(({ rules }) => rules)
          .join('')}
      </style>
      <div className="types__grid">
        {TYPE_PAIRS.map((type) => (
          <label key={type} className="type" data-type={type}>
            <input
              type="radio"
              className="sr-only"
              name="type"
              value={type}
              checked={type === value}
              onChange={() => onChoose(type)}
            />
            <b className="display">{TYPE_WORDS[type].name}</b>
            <small>{TYPE_WORDS[type].sub}</small>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type Form = Pick<ThemeDraft, 'now' | 'refused' | 'change'>;

function Twin({ now, refused, change }: Form) {
  const { background, accent, twin } = now;
  const kind = typeof twin === 'string' ? twin : 'own';
  const refusalOf = (part: 'background' | 'accent') => refused.find(({ path }) => path.join('.') === `twin.${part}`);
  return (
    <>
      <Choose
        name="twin"
        label="Light and dark mode"
        hint={
          kind === 'made'
            ? 'We create the other mode from your colors.'
            : kind === 'same'
              ? 'Everyone sees the same colors.'
              : 'Choose your own colors for the other mode.'
        }
        value={kind}
        options={TWINS}
        words={TWIN_WORDS}
        onChoose={(chosen) => change({ twin: chosen === 'own' ? twinOf({ background, accent }) : chosen })}
      />
      {typeof twin === 'object' && (
        <>
          <ColourField
            label="Accent (other mode)"
            name="twin-accent"
            value={twin.accent}
            choices={[]}
            refusal={refusalOf('accent')}
            onChoose={(colour) => change({ twin: { ...twin, accent: colour } })}
          />
          <ColourField
            label="Background (other mode)"
            name="twin-background"
            value={twin.background}
            choices={[]}
            refusal={refusalOf('background')}
            onChoose={(colour) => change({ twin: { ...twin, background: colour } })}
          />
        </>
      )}
    </>
  );
}

export function ThemeForm({ now, refused, change }: Form) {
  const refusalOf = (part: 'background' | 'accent') => refused.find(({ path }) => path.join('.') === part);
  const radii = RADII.map(String);
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-7">
      <ColourField
        label="Accent"
        name="accent"
        value={now.accent}
        choices={ACCENTS}
        refusal={refusalOf('accent')}
        onChoose={(accent) => change({ accent })}
      />
      <ColourField
        label="Background"
        name="background"
        value={now.background}
        choices={BACKGROUNDS}
        refusal={refusalOf('background')}
        onChoose={(background) => change({ background })}
      />
      <Twin now={now} refused={refused} change={change} />
      <Types value={now.type} onChoose={(type) => change({ type })} />
      <Choose
        name="cover"
        label="Cover"
        value={now.cover}
        options={COVERS}
        words={COVER_WORDS}
        onChoose={(cover) => change({ cover })}
      />
      <Choose
        name="radius"
        label="Button corners"
        value={String(now.radius)}
        options={radii}
        words={Object.fromEntries(radii.map((each) => [each, each]))}
        onChoose={(chosen) => {
          const radius = RADII.find((each) => String(each) === chosen);
          if (radius !== undefined) change({ radius });
        }}
      />
      <Choose
        name="layout"
        label="Header"
        value={now.layout}
        options={LAYOUTS}
        words={LAYOUT_WORDS}
        onChoose={(layout) => change({ layout })}
      />
      <Choose
        name="shape"
        label="Photos"
        value={now.shape}
        options={SHAPES}
        words={SHAPE_WORDS}
        onChoose={(shape) => change({ shape })}
      />
      <Choose
        name="format"
        label="Posts"
        value={now.format}
        options={FORMATS}
        words={FORMAT_WORDS}
        onChoose={(format) => change({ format })}
      />
    </div>
  );
}
