import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { ApiError, type FieldFault } from '~/api/errors';
import { checkQuery, type Checked, definitionFaults, useWorkflowCheck } from '~/screens/workflows/editor/check';
import type { JsonObject } from '~/ui/schema-form/schema';

const NONE: readonly FieldFault[] = [];

export interface WorkflowText {
  text: string;
  setText: (text: string) => void;
  checked: Checked;
  /** The definition that the text is by now; null while it is none, or could not be checked. */
  definition: () => Promise<JsonObject | null>;
  /** Shows what the server found wrong when it was saved. */
  tell: (error: unknown) => void;
}

/** A workflow while somebody writes it. */
export function useWorkflowText(initial: string): WorkflowText {
  const queries = useQueryClient();
  const [text, setText] = useState(initial);
  const [told, setTold] = useState(NONE);
  const checked = useWorkflowCheck(text, told);
  return {
    text,
    setText: (next) => {
      setText(next);
      setTold(NONE);
    },
    checked,
    definition: async () => {
      const { definition, faults } = await queries.fetchQuery(checkQuery(text)).catch((error: unknown) => {
        if (error instanceof ApiError) return { definition: null, faults: [] };
        throw error;
      });
      return faults.length > 0 ? null : (definition as JsonObject | null);
    },
    tell: (error) => setTold(definitionFaults(error)),
  };
}
