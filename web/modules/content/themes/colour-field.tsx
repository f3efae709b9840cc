import { CONTRAST, formatRatio } from '@stagedoor/contract/content/theme-colours.ts';
import type { ThemeContrastProblem } from '@stagedoor/contract/content/themes.ts';
import './editor.css';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type CSSProperties, useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { FieldErrorMessage } from '../../../ui/field.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { Icon } from '../../../ui/icon.tsx';
import { parseColour } from './parse-colour.ts';
import * as texts from './texts.ts';
import { toColourNames } from './theme-choice.ts';

export type NamedColour = { name: string; colour: string };

type SwatchStyle = CSSProperties & Record<`--${string}`, string>;

function ContrastRefusal({ problem, onUse }: { problem: ThemeContrastProblem; onUse: (colour: string) => void }) {
  const { part, colour, against, ratio, nearest } = problem;
  const [background, textColour, better] =
    part === 'accent'
      ? [against, colour, { background: against, textColour: nearest }]
      : [colour, against, { background: nearest, textColour: against }];
  const toStyle = (background: string, color: string): CSSProperties => ({ background, color });
  return (
    <fieldset className="refused" aria-label={texts.contrastTooLow}>
      <div className="refused__pair" aria-hidden="true">
        <span>
          <i style={toStyle(background, textColour)} />
          <s className="num">{colour}</s>
        </span>
        <span>
          <i style={toStyle(better.background, better.textColour)} />
          <span className="num">{nearest}</span>
        </span>
      </div>
      <p className="refused__why" role="alert">
        <Icon name="close" size={18} />
        <span>
          {formatNodes(texts.contrastRefusal, {
            pairing:
              part === 'accent' ? (
                <>
                  {formatNodes(texts.colorOnBackgroundIs, {
                    colour: <span className="num">{colour}</span>,
                    against: <span className="num">{against}</span>,
                  })}{' '}
                </>
              ) : (
                <>{formatNodes(texts.textOnColorIs, { colour: <span className="num">{colour}</span> })} </>
              ),
            ratio: <span className="num">{formatRatio(ratio)}</span>,
            minimum: <span className="num">{CONTRAST}:1</span>,
          })}
        </span>
      </p>
      <p className="refused__ok">
        <span className="text-small text-muted">{texts.closestColorThatWorks}</span>
        <Button className="script-only" onClick={() => onUse(nearest)}>
          {formatNodes(texts.useNearestColor, { nearest: <span className="num">{nearest}</span> })}
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
  problem,
  onChoose,
}: {
  label: string;
  name: string;
  value: string;
  choices: readonly NamedColour[];
  problem: ThemeContrastProblem | undefined;
  onChoose: (colour: string) => void;
}) {
  const id = useId();
  const names = toColourNames(name);
  const [typedText, setTypedText] = useState<string>();
  const [isTyping, setTyping] = useState(false);
  const isNamed = choices.some(({ colour }) => colour === value);
  const changeText = (text: string) => {
    setTypedText(text);
    setTyping(true);
    const colour = parseColour(text);
    if (colour) onChoose(colour);
  };
  const isWrong = typedText !== undefined && parseColour(typedText) === undefined;
  // No error is shown while the user is still typing.
  const isErrorShown = isWrong && !isTyping;
  return (
    <fieldset className="swatches">
      <legend className="field__label">{label}</legend>
      <input type="hidden" name={names.earlier} value={value} />
      <div className="swatches__row">
        {choices.map(({ name: colourName, colour }) => {
          const style: SwatchStyle = { '--swatch': colour };
          return (
            <label key={colour} className="swatch" style={style}>
              <input
                type="radio"
                className="sr-only"
                name={names.chosen}
                value={colour}
                checked={colour === value}
                onChange={() => {
                  setTypedText(undefined);
                  onChoose(colour);
                }}
              />
              <i aria-hidden="true" />
              <span>{colourName}</span>
            </label>
          );
        })}
        <label className="swatch" data-chosen={isNamed ? undefined : ''}>
          <input
            type="color"
            name={names.picked}
            className="swatch__any"
            value={value}
            aria-label={formatText(texts.customColorLabel, { label })}
            onChange={(event) => {
              setTypedText(undefined);
              onChoose(event.currentTarget.value.toLowerCase());
            }}
          />
          <span aria-hidden="true">{texts.other}</span>
        </label>
        <span className="swatches__hex">
          <label className="sr-only" htmlFor={id}>
            {formatText(texts.hexCodeLabel, { label })}
          </label>
          <input
            id={id}
            name={names.typed}
            className="input num"
            inputMode="text"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            value={typedText ?? value}
            aria-invalid={isErrorShown || problem ? true : undefined}
            aria-describedby={isErrorShown ? `${id}-error` : undefined}
            onChange={(event) => changeText(event.currentTarget.value)}
            onBlur={() => {
              setTyping(false);
              if (!isWrong) setTypedText(undefined);
            }}
          />
        </span>
      </div>
      <FieldErrorMessage id={`${id}-error`} message={isErrorShown ? texts.hexColorHint : undefined} />
      {problem && (
        <ContrastRefusal
          problem={problem}
          onUse={(colour) => {
            setTypedText(undefined);
            onChoose(colour);
          }}
        />
      )}
    </fieldset>
  );
}
