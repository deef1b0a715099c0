import agents from './agents.json';
import attachments from './attachments.json';
import calibration from './calibration.json';
import common from './common.json';
import compare from './compare.json';
import datasets from './datasets.json';
import evaluators from './evaluators.json';
import executions from './executions.json';
import gate from './gate.json';
import help from './help.json';
import kinds from './kinds.json';
import labels from './labels.json';
import notices from './notices.json';
import online from './online.json';
import remote from './remote.json';
import runs from './runs.json';
import schedules from './schedules.json';
import settings from './settings.json';
import shell from './shell.json';
import signIn from './signIn.json';
import simulations from './simulations.json';
import trace from './trace.json';
import ui from './ui.json';
import usage from './usage.json';
import workflows from './workflows.json';

/** One file of messages per area. */
export const messages = { agents, attachments, calibration, common, compare, datasets, evaluators, executions, gate, help, kinds, labels, notices, online, remote, runs, schedules, settings, shell, signIn, simulations, trace, ui, usage, workflows };
