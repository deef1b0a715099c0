import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The editor in the colours of the page, which exist in light and dark. */
export const editorTheme = EditorView.theme({
  '&': { backgroundColor: 'var(--mantine-color-body)', color: 'var(--mantine-color-text)', fontSize: '0.8125rem', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': { backgroundColor: 'var(--aloi-canvas)', color: 'var(--mantine-color-dimmed)', borderRight: '1px solid var(--aloi-line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--aloi-selected) 28%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--aloi-selected) 60%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--aloi-selected)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--aloi-selected) !important', outline: 'none' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--aloi-canvas)', borderColor: 'var(--aloi-line)', color: 'inherit', padding: '0 6px' },
  '.cm-tooltip': { backgroundColor: 'var(--mantine-color-body)', border: '1px solid var(--aloi-line)', color: 'inherit', maxWidth: '420px' },
  '.cm-diagnostic': { fontFamily: 'var(--mantine-font-family)', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--aloi-fail)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--aloi-fail)', textUnderlineOffset: '3px' },
  '.cm-lint-marker-error': { content: 'normal', display: 'inline-block', width: '0.75em', height: '0.75em', borderRadius: '50%', backgroundColor: 'var(--aloi-fail)' },
});

const quiet = 'var(--mantine-color-dimmed)';

export const editorColours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--mantine-color-anchor)', fontWeight: '600' },
  { tag: [tags.comment, tags.lineComment], color: quiet, fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--aloi-pass)' },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace, tags.meta], color: quiet },
  { tag: [tags.labelName, tags.typeName, tags.keyword], color: 'var(--aloi-error)' },
]);
