/** A menu in the player. It is a popover of its own, because it must also appear above a full-screen element. */
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { Icon } from '../../../../ui/icon.tsx';

export type MenuChoice = { value: string; label: string };

export type PlayerMenuProps = {
  label: string;
  buttonContent: React.ReactNode;
  choices: readonly MenuChoice[];
  value: string;
  onChoose: (value: string) => void;
};

const GAP_PX = 8;
const MIN_HEIGHT_PX = 160;

function positionMenu(menu: HTMLElement, button: HTMLElement): void {
  const { top, right } = button.getBoundingClientRect();
  const availableHeight = Math.max(MIN_HEIGHT_PX, top - 2 * GAP_PX);
  menu.style.maxHeight = `${availableHeight}px`;
  menu.style.bottom = `${Math.min(window.innerHeight - top + GAP_PX, window.innerHeight - availableHeight - GAP_PX)}px`;
  menu.style.right = `${Math.max(GAP_PX, window.innerWidth - right)}px`;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitemradio"]')];
  const at = items.findIndex((item) => item.matches(':focus'));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}

export function PlayerMenu({ label, buttonContent, choices, value, onChoose }: PlayerMenuProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const current = choices.find((choice) => choice.value === value);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="player__btn player__btn--words num"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={`${label}: ${current?.label ?? ''}`}
      >
        {buttonContent}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="menu player__menu"
        onKeyDown={moveFocus}
        onBeforeToggle={({ newState }) => {
          if (newState === 'open' && menu.current && button.current) positionMenu(menu.current, button.current);
        }}
        onToggle={({ newState }) => {
          setIsOpen(newState === 'open');
          if (newState === 'open') menu.current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus();
        }}
      >
        <p className="menu__label" aria-hidden="true">
          {label}
        </p>
        {choices.map((choice) => (
          <button
            key={choice.value}
            type="button"
            role="menuitemradio"
            aria-checked={choice.value === value}
            tabIndex={-1}
            className="menu__item num"
            onClick={() => {
              onChoose(choice.value);
              menu.current?.hidePopover();
              button.current?.focus();
            }}
          >
            <span className="player__check">{choice.value === value && <Icon name="check" size={18} />}</span>
            {choice.label}
          </button>
        ))}
      </div>
    </>
  );
}
