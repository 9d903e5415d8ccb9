import type { ITheme } from '@xterm/xterm';

const light: ITheme = {
  background: '#ffffff',
  foreground: '#1b1830',
  cursor: '#644cff',
  cursorAccent: '#ffffff',
  selectionBackground: '#d9d2ff',
  black: '#1b1830',
  red: '#b3261e',
  green: '#00704f',
  yellow: '#8a5a00',
  blue: '#0b5cad',
  magenta: '#7a3fb0',
  cyan: '#00707a',
  white: '#6b6880',
  brightBlack: '#6b6880',
  brightRed: '#c4320a',
  brightGreen: '#00805e',
  brightYellow: '#a36a00',
  brightBlue: '#0072b2',
  brightMagenta: '#8b4fbf',
  brightCyan: '#00808c',
  brightWhite: '#3a3750',
};

const dark: ITheme = {
  background: '#16151f',
  foreground: '#eceaf6',
  cursor: '#9b8cff',
  cursorAccent: '#16151f',
  selectionBackground: '#4a3fa0',
  black: '#3a3750',
  red: '#ff7a59',
  green: '#35c79a',
  yellow: '#e6a52c',
  blue: '#56b4e9',
  magenta: '#c99bf0',
  cyan: '#4dd0d8',
  white: '#d3d0e3',
  brightBlack: '#8b88a3',
  brightRed: '#ff9a80',
  brightGreen: '#6ee0bd',
  brightYellow: '#f3c56b',
  brightBlue: '#8ccdf2',
  brightMagenta: '#dcbcf7',
  brightCyan: '#8ae4ea',
  brightWhite: '#ffffff',
};

/** The sixteen colours on the page's own ground, each readable on it. */
export function terminalTheme(isDark: boolean): ITheme {
  return isDark ? dark : light;
}
