import { useTranslation } from 'react-i18next';

/** The actions that the log may hold, as the API names them; each has its words under `did` in the messages. */
export const ACTIONS = [
  'attachment.create',
  'attachment.delete',
  'api_key.create',
  'api_key.revoke',
  'case.create',
  'case.update',
  'case.delete',
  'case.enable',
  'case.disable',
  'case.ready',
  'case.draft',
  'case.harvest',
  'dataset.create',
  'dataset.update',
  'dataset.delete',
  'dataset.import',
  'dataset.bind',
  'evaluator.create',
  'evaluator.update',
  'evaluator.delete',
  'gate.update',
  'gate.override',
  'label.create',
  'label.update',
  'label.delete',
  'member.add',
  'member.update',
  'member.remove',
  'member.link',
  'member.password',
  'member.grants',
  'online_rule.create',
  'online_rule.update',
  'online_rule.delete',
  'run.start',
  'run.cancel',
  'run.resume',
  'run.retry',
  'run.regrade',
  'run.delete',
  'schedule.create',
  'schedule.update',
  'schedule.pause',
  'schedule.resume',
  'schedule.delete',
  'sign_in.password',
  'sign_in.link',
  'sign_in.failed',
  'target.create',
  'target.update',
  'target.delete',
  'version.create',
  'version.activate',
  'workspace.update',
  'workspace.webhook',
  'workspace.retention',
] as const;

/** An action in words; one that has none yet by its name. */
export function useActionText(): (action: string) => string {
  const { t } = useTranslation('settings');
  return (action) => {
    const known = ACTIONS.find((each) => each === action);
    return known ? t(`did.${known}`) : action;
  };
}
