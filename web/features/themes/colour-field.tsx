import { CONTRAST, ratioWords } from '@stagedoor/contract/theme-colours.ts';
import type { PlacedRefusal } from '@stagedoor/contract/themes.ts';
import './editor.css';
import { type CSSProperties, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { FieldError } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';

export type Named = { name: string; colour: string };

const HEX = /^#?([0-9a-f]{6})$/i;

export function typedColour(text: string): string | undefined {
  const [, digits] = HEX.exec(text.trim()) ?? [];
  return digits && `#${digits.toLowerCase()}`;
}

type Custom = CSSProperties & Record<`--${string}`, string>;

function Refused({ refusal, onUse }: { refusal: PlacedRefusal; onUse: (colour: string) => void }) {
  const { part, colour, against, ratio, nearest } = refusal;
  const [ground, words, better] =
    part === 'accent'
      ? [against, colour, { ground: against, words: nearest }]
      : [colour, against, { ground: nearest, words: against }];
  const drawnIn = (background: string, color: string): CSSProperties => ({ background, color });
  return (
    <fieldset className="refused" aria-label="Contrast too low">
      <div className="refused__pair" aria-hidden="true">
        <span>
          <i style={drawnIn(ground, words)} />
          <s className="num">{colour}</s>
        </span>
        <span>
          <i style={drawnIn(better.ground, better.words)} />
          <span className="num">{nearest}</span>
        </span>
      </div>
      <p className="refused__why" role="alert">
        <Icon name="close" size={18} />
        <span>
          {part === 'accent' ? (
            <>
              <span className="num">{colour}</span> on <span className="num">{against}</span> is{' '}
            </>
          ) : (
            <>
              Text on <span className="num">{colour}</span> is{' '}
            </>
          )}
          <span className="num">{ratioWords(ratio)}</span>. Minimum is <span className="num">{CONTRAST}:1</span>, so it
          can’t be saved.
        </span>
      </p>
      <p className="refused__ok">
        <span className="text-small text-muted">Closest color that works</span>
        <Button onClick={() => onUse(nearest)}>
          Use <span className="num">{nearest}</span>
        </Button>
      </p>
    </fieldset>
  );
}

export function ColourField({
  label,
  name,
  value,
  choices,
  refusal,
  onChoose,
}: {
  label: string;
  name: string;
  value: string;
  choices: readonly Named[];
  refusal: PlacedRefusal | undefined;
  onChoose: (colour: string) => void;
}) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [isTyping, setTyping] = useState(false);
  const isNamed = choices.some(({ colour }) => colour === value);
  const type = (text: string) => {
    setTyped(text);
    setTyping(true);
    const colour = typedColour(text);
    if (colour) onChoose(colour);
  };
  const isWrong = typed !== undefined && typedColour(typed) === undefined;
  // No error is shown while the user is still typing.
  const isSaid = isWrong && !isTyping;
  return (
    <fieldset className="swatches">
      <legend className="field__label">{label}</legend>
      <div className="swatches__row">
        {choices.map(({ name: word, colour }) => {
          const style: Custom = { '--swatch': colour };
          return (
            <label key={colour} className="swatch" style={style}>
              <input
                type="radio"
                className="sr-only"
                name={name}
                value={colour}
                checked={colour === value}
                onChange={() => {
                  setTyped(undefined);
                  onChoose(colour);
                }}
              />
              <i aria-hidden="true" />
              <span>{word}</span>
            </label>
          );
        })}
        <label className="swatch" data-chosen={isNamed ? undefined : ''}>
          <input
            type="color"
            className="swatch__any"
            value={value}
            aria-label={`${label}: custom color`}
            onChange={(event) => {
              setTyped(undefined);
              onChoose(event.currentTarget.value.toLowerCase());
            }}
          />
          <span aria-hidden="true">Other</span>
        </label>
        <span className="swatches__hex">
          <label className="sr-only" htmlFor={id}>
            {label} hex code
          </label>
          <input
            id={id}
            className="input num"
            inputMode="text"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            value={typed ?? value}
            aria-invalid={isSaid || refusal ? true : undefined}
            aria-describedby={isSaid ? `${id}-error` : undefined}
            onChange={(event) => type(event.currentTarget.value)}
            onBlur={() => {
              setTyping(false);
              if (!isWrong) setTyped(undefined);
            }}
          />
        </span>
      </div>
      <FieldError id={`${id}-error`} message={isSaid ? 'Enter a hex color like #2f5d50.' : undefined} />
      {refusal && (
        <Refused
          refusal={refusal}
          onUse={(colour) => {
            setTyped(undefined);
            onChoose(colour);
          }}
        />
      )}
    </fieldset>
  );
}
