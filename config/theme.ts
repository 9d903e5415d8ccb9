import type { ThemeConfig } from 'antd';

/** The only place where colours, sizes and type are named; everything else uses these tokens or the CSS variables made of them. */
export interface Palette {
  brand: string;
  brandHover: string;
  /** Behind white words, on both grounds. */
  brandSolid: string;
  brandSoft: string;
  ink: string;
  muted: string;
  line: string;
  /** Around fields. */
  edge: string;
  ground: string;
  card: string;
  raised: string;
  running: string;
  pending: string;
  stopping: string;
  failed: string;
  lost: string;
}

export const light: Palette = {
  brand: '#644CFF',
  brandHover: '#5038EB',
  brandSolid: '#644CFF',
  brandSoft: '#F0EEFF',
  ink: '#1B1830',
  muted: '#6B6880',
  line: '#E8E6F0',
  edge: '#D5D2E2',
  ground: '#FAFAFD',
  card: '#FFFFFF',
  raised: '#FFFFFF',
  running: '#00805E',
  pending: '#0072B2',
  stopping: '#A36A00',
  failed: '#C4320A',
  lost: '#8B4FBF',
};

export const dark: Palette = {
  brand: '#9B8CFF',
  brandHover: '#B3A7FF',
  brandSolid: '#644CFF',
  brandSoft: '#282443',
  ink: '#ECEAF6',
  muted: '#A3A0B8',
  line: '#2D2A3D',
  edge: '#454159',
  ground: '#12111A',
  card: '#1B1926',
  raised: '#232131',
  running: '#35C79A',
  pending: '#56B4E9',
  stopping: '#E6A52C',
  failed: '#FF7A59',
  lost: '#C99BF0',
};

export const fontFamily = 'system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';
export const monoFamily =
  '"JetBrains Mono", ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace';

/** Antd's tokens for one of the two grounds. The brand stays #644CFF behind white words; on dark ground links use its tint. */
export function antdTheme(isDark: boolean, isStill: boolean, isPhone: boolean): ThemeConfig {
  const palette = isDark ? dark : light;
  return {
    cssVar: { key: 'atelier' },
    hashed: false,
    token: {
      colorPrimary: light.brand,
      colorLink: palette.brand,
      colorLinkHover: palette.brandHover,
      colorInfo: palette.pending,
      colorSuccess: palette.running,
      colorWarning: palette.stopping,
      colorError: palette.failed,
      // What antd makes of so dark a yellow is mud, on which no link can be read.
      ...(isDark ? {} : { colorWarningBg: '#FFF6DE', colorWarningBorder: '#EAD193' }),
      colorTextBase: palette.ink,
      colorText: palette.ink,
      colorTextHeading: palette.ink,
      colorTextSecondary: palette.muted,
      colorTextTertiary: palette.muted,
      colorTextDescription: palette.muted,
      colorTextPlaceholder: palette.muted,
      colorBgBase: isDark ? palette.ground : palette.card,
      colorBgLayout: palette.ground,
      colorBgContainer: palette.card,
      colorBgElevated: palette.raised,
      colorBorder: palette.edge,
      colorBorderSecondary: palette.line,
      colorSplit: palette.line,
      fontFamily,
      fontFamilyCode: monoFamily,
      fontSize: 14,
      fontSizeHeading1: 28,
      fontSizeHeading2: 20,
      fontSizeHeading3: 16,
      borderRadius: 8,
      borderRadiusLG: 10,
      // Big enough for a finger where fingers are used.
      controlHeight: isPhone ? 40 : 36,
      // Nothing moves for members who asked for less motion.
      motion: !isStill,
      controlHeightLG: 44,
      motionDurationFast: '0.12s',
      motionDurationMid: '0.16s',
      motionDurationSlow: '0.2s',
    },
    components: {
      Button: { primaryShadow: 'none', defaultShadow: 'none', fontWeight: 500 },
      Tabs: {
        horizontalItemPadding: '10px 0',
        itemSelectedColor: palette.brand,
        itemHoverColor: palette.brand,
        inkBarColor: palette.brand,
      },
      Form: { itemMarginBottom: 28 },
    },
  };
}

function variablesOf(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, value]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`)
    .join(';');
}

/** The palette as CSS variables (`--ink`, `--brand-soft` …), written into the page's head so that the first paint has the right ground. */
export function rootStyle(): string {
  const fonts = `--font:${fontFamily};--mono:${monoFamily}`;
  const start = 'html{background:var(--ground);color:var(--ink)}body{margin:0;font:14px/22px var(--font)}';
  return `:root{color-scheme:light;${variablesOf(light)};${fonts}}:root[data-theme=dark]{color-scheme:dark;${variablesOf(dark)}}${start}`;
}
