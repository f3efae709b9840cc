import { toOtherMode } from '@stagedoor/contract/content/theme-colours.ts';
import { COVERS, FORMATS, LAYOUTS, RADII, SHAPES, type Theme, TYPE_PAIRS } from '@stagedoor/contract/content/themes.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { useId } from 'react';
import { parseOption } from '../../../platform/address.ts';
import { Button } from '../../../ui/button.tsx';
import { Segmented } from '../../../ui/choice.tsx';
import { THEME_FACES } from '../../../ui/fonts/theme-faces.ts';
import { ColourField, type NamedColour } from './colour-field.tsx';
import { COVER_LABELS, FONT_LABELS, FORMAT_LABELS, LAYOUT_LABELS, SHAPE_LABELS } from './labels.ts';
import * as texts from './texts.ts';
import { THEME_FORM_ID } from './theme-choice.ts';
import type { ThemeEditing } from './theme-history.ts';

const ACCENTS: readonly NamedColour[] = [
  { name: 'Celadon', colour: '#2f5d50' },
  { name: 'Cobalt', colour: '#2340a8' },
  { name: 'Plum', colour: '#6d2a7d' },
  { name: 'Oxblood', colour: '#8c1f1a' },
  { name: 'Umber', colour: '#6b4413' },
  { name: 'Amber', colour: '#ffc46b' },
  { name: 'Coral', colour: '#ff9b7a' },
  { name: 'Lilac', colour: '#c58bff' },
];
const BACKGROUNDS: readonly NamedColour[] = [
  { name: 'Paper', colour: '#ffffff' },
  { name: 'Bone', colour: '#f4f1ea' },
  { name: 'Mist', colour: '#e6edf2' },
  { name: 'Blush', colour: '#fdeee9' },
  { name: 'Sage', colour: '#e9efe2' },
  { name: 'Pine', colour: '#0b3b3a' },
  { name: 'Plum', colour: '#150a2b' },
  { name: 'Night', colour: '#0c1024' },
];
const OTHER_MODE_KINDS = ['derived', 'same', 'own'] as const;
const OTHER_MODE_LABELS = { derived: texts.automatic, same: texts.sameColors, own: texts.custom } as const;

function ChoiceField<T extends string>({
  name,
  label,
  hint,
  value,
  options,
  labels,
  onChoose,
}: {
  name: string;
  label: string;
  hint?: string;
  value: T;
  options: readonly T[];
  labels: Readonly<Record<T, string>>;
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
        options={options.map((option) => ({ value: option, label: labels[option] }))}
        onValueChange={(chosen) => {
          const option = parseOption(options, chosen);
          if (option) onChoose(option);
        }}
      />
      {hint && <p className="pt-2 text-small text-muted">{hint}</p>}
    </div>
  );
}

function TypeField({ value, onChoose }: { value: Theme['type']; onChoose: (type: Theme['type']) => void }) {
  return (
    <fieldset className="types">
      <legend className="field__label">{texts.font}</legend>
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
            <b className="display">{FONT_LABELS[type].name}</b>
            <small>{FONT_LABELS[type].sub}</small>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type ThemeFormProps = Pick<ThemeEditing, 'now' | 'problems' | 'change'>;

/** For the bar of buttons. Shows the chosen theme in browsers without script. */
export function ShowThemeButton() {
  return (
    <Button type="submit" form={THEME_FORM_ID}>
      {texts.showTheme}
    </Button>
  );
}

function OtherModeFields({ now, problems, change }: ThemeFormProps) {
  const { background, accent, otherMode } = now;
  const kind = typeof otherMode === 'string' ? otherMode : 'own';
  const findProblem = (part: 'background' | 'accent') =>
    problems.find(({ path }) => path.join('.') === `otherMode.${part}`);
  return (
    <>
      <ChoiceField
        name="otherMode"
        label={texts.lightAndDarkMode}
        hint={
          kind === 'derived' ? texts.automaticModeHint : kind === 'same' ? texts.sameColorsHint : texts.customModeHint
        }
        value={kind}
        options={OTHER_MODE_KINDS}
        labels={OTHER_MODE_LABELS}
        onChoose={(chosen) => change({ otherMode: chosen === 'own' ? toOtherMode({ background, accent }) : chosen })}
      />
      {typeof otherMode === 'object' && (
        <>
          <ColourField
            label={texts.accentOtherMode}
            name="otherMode-accent"
            value={otherMode.accent}
            choices={[]}
            problem={findProblem('accent')}
            onChoose={(colour) => change({ otherMode: { ...otherMode, accent: colour } })}
          />
          <ColourField
            label={texts.backgroundOtherMode}
            name="otherMode-background"
            value={otherMode.background}
            choices={[]}
            problem={findProblem('background')}
            onChoose={(colour) => change({ otherMode: { ...otherMode, background: colour } })}
          />
        </>
      )}
    </>
  );
}

export function ThemeForm({ now, problems, change }: ThemeFormProps) {
  const findProblem = (part: 'background' | 'accent') => problems.find(({ path }) => path.join('.') === part);
  const radii = RADII.map(String);
  return (
    <form
      id={THEME_FORM_ID}
      className="grid min-w-0 grid-cols-1 content-start gap-7"
      action={PUBLIC_PATHS.themeEdit}
      noValidate
      // Every change applies at once. Only browsers without script, or before it has loaded, send the form.
      onSubmit={(event) => event.preventDefault()}
    >
      <ColourField
        label={texts.accent}
        name="accent"
        value={now.accent}
        choices={ACCENTS}
        problem={findProblem('accent')}
        onChoose={(accent) => change({ accent })}
      />
      <ColourField
        label={texts.background}
        name="background"
        value={now.background}
        choices={BACKGROUNDS}
        problem={findProblem('background')}
        onChoose={(background) => change({ background })}
      />
      <OtherModeFields now={now} problems={problems} change={change} />
      <TypeField value={now.type} onChoose={(type) => change({ type })} />
      <ChoiceField
        name="cover"
        label={texts.cover}
        value={now.cover}
        options={COVERS}
        labels={COVER_LABELS}
        onChoose={(cover) => change({ cover })}
      />
      <ChoiceField
        name="radius"
        label={texts.buttonCorners}
        value={String(now.radius)}
        options={radii}
        labels={Object.fromEntries(radii.map((option) => [option, option]))}
        onChoose={(chosen) => {
          const radius = RADII.find((option) => String(option) === chosen);
          if (radius !== undefined) change({ radius });
        }}
      />
      <ChoiceField
        name="layout"
        label={texts.header}
        value={now.layout}
        options={LAYOUTS}
        labels={LAYOUT_LABELS}
        onChoose={(layout) => change({ layout })}
      />
      <ChoiceField
        name="shape"
        label={texts.photos}
        value={now.shape}
        options={SHAPES}
        labels={SHAPE_LABELS}
        onChoose={(shape) => change({ shape })}
      />
      <ChoiceField
        name="format"
        label={texts.posts}
        value={now.format}
        options={FORMATS}
        labels={FORMAT_LABELS}
        onChoose={(format) => change({ format })}
      />
    </form>
  );
}
