import { answer, api, type Schemas } from '~/api/client';

const PATH = '/api/eval/datasets/{dataset_id}/import';

/** What importing a file would do; nothing is stored. */
export async function previewImport(datasetId: string, file: File, replace: boolean, signal: AbortSignal): Promise<Schemas['ImportPreview']> {
  const params = { path: { dataset_id: datasetId }, query: { dry_run: true, replace } };
  return (await answer(api.POST(PATH, { params, ...formOf(file), signal }))) as Schemas['ImportPreview'];
}

/** Takes the cases of a file into a dataset, all or none. */
export async function importCases(datasetId: string, file: File, replace: boolean): Promise<Schemas['Saved']> {
  const params = { path: { dataset_id: datasetId }, query: { replace } };
  return (await answer(api.POST(PATH, { params, ...formOf(file) }))) as Schemas['Saved'];
}

/** The typed client knows a file as text; what is sent is the file itself. */
function formOf(file: File) {
  return {
    body: { file: file.name },
    bodySerializer: () => {
      const form = new FormData();
      form.append('file', file);
      return form;
    },
  };
}

/** A place in a file, as the server words it: "line 3, column prompt". Null for any other. */
export function placeOf(pointer: string): { line: string; column: string | null } | null {
  const found = /^line (\d+)(?:, column (.+))?$/s.exec(pointer);
  return found ? { line: found[1] ?? '', column: found[2] ?? null } : null;
}
