import agents from './agents.json';
import common from './common.json';
import compare from './compare.json';
import datasets from './datasets.json';
import evaluators from './evaluators.json';
import executions from './executions.json';
import help from './help.json';
import kinds from './kinds.json';
import runs from './runs.json';
import settings from './settings.json';
import shell from './shell.json';
import signIn from './signIn.json';
import trace from './trace.json';
import ui from './ui.json';
import usage from './usage.json';

/** One file of messages per area. */
export const messages = { agents, common, compare, datasets, evaluators, executions, help, kinds, runs, settings, shell, signIn, trace, ui, usage };
