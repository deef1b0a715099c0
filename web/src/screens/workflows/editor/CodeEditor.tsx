import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, diagnosticCount, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react';

import { editorColours, editorTheme } from '~/screens/workflows/editor/editorTheme';
import type { CodeEditorProps, LineFault } from '~/screens/workflows/editor/codeEditorProps';

/** A text editor for YAML and JSON with line numbers and marks. Ctrl + Z undoes; Escape, then Tab, leaves it. */
export default function CodeEditor({ value, onChange, faults, label, describedBy, ref }: CodeEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const tell = useEffectEvent((text: string) => onChange(text));
  const first = useEffectEvent(() => value);
  useEffect(() => {
    if (!parent.current) return;
    const described: Record<string, string> = describedBy ? { 'aria-describedby': describedBy } : {};
    const editor = new EditorView({ parent: parent.current, state: EditorState.create({ doc: first(), extensions: extensions({ 'aria-label': label, ...described }, tell) }) });
    view.current = editor;
    return () => editor.destroy();
  }, [label, describedBy]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, faults.flatMap((fault) => diagnostic(editor.state.doc, fault))));
  }, [faults, label, describedBy]);
  useImperativeHandle(ref, () => ({ goTo: (from, to = from) => view.current && goTo(view.current, from, to) }), []);
  return <div ref={parent} />;
}

function extensions(attributes: Record<string, string>, onChange: (text: string) => void): Extension[] {
  return [
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    EditorView.lineWrapping,
    yaml(),
    syntaxHighlighting(editorColours),
    editorTheme,
    keymap.of([indentWithTab, ...defaultKeymap, ...historyKeymap, ...foldKeymap]),
    EditorView.contentAttributes.of({ tabindex: '0', spellcheck: 'false', autocapitalize: 'off', ...attributes }),
    EditorView.contentAttributes.of((editor) => ({ 'aria-invalid': String(diagnosticCount(editor.state) > 0) })),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
  ];
}

/** A fault marks its line, without the room before the text. */
function diagnostic(text: Text, { line, detail }: LineFault): Diagnostic[] {
  if (line === null || line < 1 || line > text.lines) return [];
  const found = text.line(line);
  return [{ from: found.from + (found.text.length - found.text.trimStart().length), to: found.to, severity: 'error', message: detail }];
}

/** Selects lines, brings them into sight, and puts the reader there. */
function goTo(editor: EditorView, from: number, to: number): void {
  const { doc } = editor.state;
  const within = (line: number) => doc.line(Math.min(Math.max(1, line), doc.lines));
  const start = within(from).from;
  editor.dispatch({ selection: { anchor: start, head: within(to).to }, effects: EditorView.scrollIntoView(start, { y: 'start', yMargin: 24 }) });
  editor.focus();
}
