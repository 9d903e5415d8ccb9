import { FitAddon } from '@xterm/addon-fit';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { terminalTheme } from './terminalTheme';
import { linesOf } from './transcript';

export interface ScreenOptions {
  label: string;
  isDark: boolean;
  fontSize: number;
  fontFamily: string;
  onInput: (bytes: Uint8Array) => void;
  onResize: (cols: number, rows: number) => void;
  /** A program printed this address: ask before leaving for it. */
  onLink: (address: string) => void;
  onCopy: () => void;
  /** Told the last lines a moment after output came to rest. */
  onLines: (lines: string[]) => void;
  /** The member wants the keyboard back for the page. */
  onLeave: () => void;
}

const SCROLLBACK_LINES = 5_000;
const SETTLED_MS = 250;
/** Full reset: parsed in order with the output around it, unlike `reset()`, which would overtake what is still buffered. */
const FULL_RESET = '\u001bc';

const keyCodes = {
  escape: '\u001b',
  tab: '\t',
  interrupt: '\u0003',
  endOfInput: '\u0004',
} as const;
const arrowCodes = { up: 'A', down: 'B', right: 'C', left: 'D' } as const;
/** A key that a phone's keyboard lacks. */
export type ScreenKey = keyof typeof keyCodes | keyof typeof arrowCodes;

function keyOf(event: KeyboardEvent): string {
  return `${event.ctrlKey ? 'Ctrl+' : ''}${event.shiftKey ? 'Shift+' : ''}${event.code}`;
}

/** The screen of one terminal: xterm with our theme, keys and links. Loaded only where a terminal is shown. */
export class TerminalScreen {
  private readonly terminal: Terminal;
  private readonly fitting = new FitAddon();
  private isReplaying = false;
  private settling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    host: HTMLElement,
    private readonly options: ScreenOptions,
  ) {
    const openLink = (_event: MouseEvent, address: string) => options.onLink(address);
    this.terminal = new Terminal({
      fontFamily: options.fontFamily,
      fontSize: options.fontSize,
      lineHeight: 1.2,
      cursorBlink: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
      scrollback: SCROLLBACK_LINES,
      minimumContrastRatio: 4.5,
      rightClickSelectsWord: false,
      theme: terminalTheme(options.isDark),
      linkHandler: { activate: openLink, allowNonHttpProtocols: false },
    });
    this.terminal.loadAddon(this.fitting);
    this.terminal.loadAddon(new WebLinksAddon(openLink));
    this.terminal.open(host);
    this.terminal.textarea?.setAttribute('aria-label', options.label);
    this.listen();
    this.fit();
  }

  private listen(): void {
    const { onInput, onResize } = this.options;
    const encoder = new TextEncoder();
    this.terminal.onData((input) => {
      // Answers to questions that stood in replayed output would be typed into the shell a second time.
      if (!this.isReplaying) onInput(encoder.encode(input));
    });
    this.terminal.onBinary((input) => onInput(Uint8Array.from(input, (letter) => letter.charCodeAt(0))));
    this.terminal.onWriteParsed(() => {
      // The library's own screen-reader mode ignores text that phones and emoji pickers insert, so we keep a transcript.
      this.settling ??= setTimeout(() => {
        this.settling = undefined;
        this.options.onLines(linesOf(this.terminal.buffer.active));
      }, SETTLED_MS);
    });
    this.terminal.onResize(({ cols, rows }) => onResize(cols, rows));
    this.terminal.attachCustomKeyEventHandler((event) => this.handleKey(event));
  }

  /** False keeps a key from the shell. */
  private handleKey(event: KeyboardEvent): boolean {
    const key = keyOf(event);
    if (key === 'Ctrl+Shift+KeyC') {
      event.preventDefault();
      if (event.type === 'keydown') this.options.onCopy();
      return false;
    }
    // The browser pastes by itself, without asking for a permission; xterm takes its paste event.
    if (key === 'Ctrl+Shift+KeyV') return false;
    if (key === 'Ctrl+F6') {
      event.preventDefault();
      if (event.type === 'keydown') this.options.onLeave();
      return false;
    }
    return true;
  }

  write(bytes: Uint8Array): void {
    this.terminal.write(bytes);
  }

  /** Shows what was printed before, in place of what is there. */
  replay(bytes: Uint8Array): void {
    this.isReplaying = true;
    this.terminal.write(FULL_RESET);
    this.terminal.write(bytes, () => {
      this.isReplaying = false;
    });
  }

  /** Fits columns and rows to the room there is; does nothing while the screen is hidden. */
  fit(): void {
    if (this.terminal.element?.offsetParent) this.fitting.fit();
  }

  focus(): void {
    this.terminal.focus();
  }

  blur(): void {
    this.terminal.blur();
  }

  size(): { cols: number; rows: number } {
    return { cols: this.terminal.cols, rows: this.terminal.rows };
  }

  selection(): string {
    return this.terminal.getSelection();
  }

  selectAll(): void {
    this.terminal.selectAll();
    this.terminal.focus();
  }

  /** Types a key as the keyboard would: what an arrow sends depends on what the program in front asked for. */
  press(key: ScreenKey): void {
    const lead = this.terminal.modes.applicationCursorKeysMode ? '\u001bO' : '\u001b[';
    this.terminal.input(
      key in arrowCodes ? `${lead}${arrowCodes[key as keyof typeof arrowCodes]}` : keyCodes[key as keyof typeof keyCodes],
    );
  }

  paste(words: string): void {
    this.terminal.paste(words);
    this.terminal.focus();
  }

  clear(): void {
    this.terminal.clear();
    this.terminal.focus();
  }

  restyle(isDark: boolean, fontSize: number): void {
    this.terminal.options.theme = terminalTheme(isDark);
    this.terminal.options.fontSize = fontSize;
    this.fit();
  }

  dispose(): void {
    clearTimeout(this.settling);
    this.terminal.dispose();
  }
}
