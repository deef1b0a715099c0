import { Anchor, Badge, Button, createTheme, type CSSVariablesResolver, defaultVariantColorsResolver, type MantineColorsTuple, Paper, Table, Tooltip, type VariantColorsResolver } from '@mantine/core';

const gold: MantineColorsTuple = [
  '#fdf8ea', '#f8edcd', '#f0db9c', '#e7c86b', '#dcae45', '#c4922b', '#a4751b', '#855c13', '#694810', '#49320b',
];

/** Warm greys, like paper. */
const gray: MantineColorsTuple = [
  '#faf9f6', '#f4f2ed', '#e9e6df', '#dcd8cf', '#c4bfb4', '#a39e92', '#7c776c', '#57534b', '#393630', '#1f1d19',
];

/** Cool dark greys, like slate: what gold is tested on. */
const dark: MantineColorsTuple = [
  '#dcdee3', '#b9bdc6', '#979ca8', '#666c79', '#434955', '#333843', '#262a32', '#1b1e24', '#15171c', '#0f1114',
];

const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif";
const serif = "'Iowan Old Style', 'Palatino Linotype', Palatino, 'URW Palladio L', P052, 'Source Serif 4', Georgia, 'DejaVu Serif', serif";
const mono = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Text on gold is dark where the gold is bright: Mantine would take the same colour in both schemes. */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const onGold = input.variant === 'filled' && (input.color ?? input.theme.primaryColor) === 'gold';
  return onGold ? { ...colors, color: 'var(--mantine-primary-color-contrast)' } : colors;
};

/** Gold on paper, or on slate; headings in the reader's own book face, figures that line up. */
export const theme = createTheme({
  primaryColor: 'gold',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  variantColorResolver: variantColors,
  colors: { gold, gray, dark },
  black: '#1f1d19',
  fontFamily: sans,
  fontFamilyMonospace: mono,
  headings: {
    fontFamily: serif,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.25' },
      h2: { fontSize: '1.25rem', lineHeight: '1.35' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Anchor: Anchor.extend({ defaultProps: { underline: 'hover' } }),
    Badge: Badge.extend({ defaultProps: { tt: 'none', radius: 'sm', variant: 'light' } }),
    Button: Button.extend({ defaultProps: { size: 'sm' } }),
    Paper: Paper.extend({ defaultProps: { withBorder: true, radius: 'md' } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md', highlightOnHover: true } }),
    // What scrolls sideways is in reach of the keyboard.
    TableScrollContainer: Table.ScrollContainer.extend({ defaultProps: { type: 'native', tabIndex: 0 } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, multiline: true, maw: 320, events: { hover: true, focus: true, touch: true } } }),
  },
});

/** Light surfaces of a colour, such as alerts: quieter than Mantine's, above all in the dark. */
function tint(name: string, surface: string, text: string) {
  return {
    [`--mantine-color-${name}-light`]: surface,
    [`--mantine-color-${name}-light-hover`]: `color-mix(in srgb, ${text} 8%, ${surface})`,
    [`--mantine-color-${name}-light-color`]: text,
  };
}

/** Colours of our own, and Mantine's dimmed text made dark (or light) enough to read. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--aloi-ink': '#17191e', '--aloi-ink-text': '#f1ede3', '--aloi-ink-soft': '#b8b3a6', '--aloi-gilt': '#dcae45' },
  light: {
    '--aloi-canvas': '#faf9f6',
    '--aloi-line': '#e4e0d7',
    '--aloi-selected': '#f6ecd2',
    '--aloi-second': '#5b6577',
    '--mantine-primary-color-contrast': '#ffffff',
    '--aloi-pass': '#1f7a4d',
    '--aloi-fail': '#b3261e',
    '--aloi-error': '#a85400',
    '--mantine-color-dimmed': '#676258',
    '--mantine-color-placeholder': '#78736a',
    '--mantine-color-error': '#b3261e',
    ...tint('red', '#fcecea', '#9c1f18'),
    ...tint('gold', '#f8f0da', '#694810'),
  },
  dark: {
    '--aloi-canvas': '#121418',
    '--aloi-line': '#2e323b',
    '--aloi-selected': '#332d1d',
    '--aloi-second': '#8f9bb0',
    '--mantine-primary-color-contrast': '#17191e',
    '--aloi-pass': '#5cc690',
    '--aloi-fail': '#ff8f85',
    '--aloi-error': '#f5a65b',
    '--mantine-color-dimmed': '#a3a7b1',
    '--mantine-color-placeholder': '#8b909b',
    '--mantine-color-error': '#ff8f85',
    ...tint('red', '#2e1f21', '#ffb3ab'),
    ...tint('gold', '#2a2619', '#e7c86b'),
    ...tint('gray', '#262a32', '#dcdee3'),
  },
});
