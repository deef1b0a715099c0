import { Alert, Button, Loader, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';

import { answer, api } from '~/api/client';
import { ApiError } from '~/api/errors';
import { Brand } from '~/app/Brand';
import { returnPath } from '~/app/signIn';
import { Preferences } from '~/app/UserMenu';
import { useErrorText } from '~/ui/errorText';
import { useDocumentTitle } from '~/ui/PageHeader';

import classes from './SignIn.module.css';

/** Signs in by email and password, or by the one-time link that brought the reader here. */
export default function SignIn() {
  const { t } = useTranslation('signIn');
  useDocumentTitle(t('title'));
  const [address] = useSearchParams();
  const token = address.get('token');
  const done = useArrival(returnPath(address.get('next')));
  return (
    <main className={classes.page}>
      <div className={classes.stamp}>
        <Brand large />
        <Text className={classes.lead}>{t('lead')}</Text>
        <Text className={classes.meaning}>{t('meaning')}</Text>
      </div>
      <div className={classes.side}>
        <Paper p="xl" className={classes.card}>
          <Stack>
            <Title order={1}>{t('title')}</Title>
            {token && <LinkSignIn token={token} onDone={done} />}
            <PasswordSignIn onDone={done} />
          </Stack>
        </Paper>
        <div className={classes.preferences}>
          <Preferences />
        </div>
      </div>
    </main>
  );
}

/** Leaves for where the reader was going, with nothing cached of who was here before. */
function useArrival(path: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return () => {
    queries.clear();
    void navigate(path, { replace: true });
  };
}

/** A link works once, so it is sent once. */
function LinkSignIn({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation('signIn');
  const link = useMutation({ mutationFn: () => answer(api.POST('/api/auth/link', { body: { token } })), onSuccess: onDone });
  const sent = useRef(false);
  const { mutate } = link;
  useEffect(() => {
    if (sent.current) return;
    sent.current = true;
    mutate();
  }, [mutate]);
  if (link.isError) return <Failure error={link.error} refused={t('linkUsed')} />;
  return (
    <Text role="status">
      <Loader size="xs" mr="xs" />
      {t('link')}
    </Text>
  );
}

function PasswordSignIn({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('signIn');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const login = useMutation({ mutationFn: () => answer(api.POST('/api/auth/login', { body: { email, password } })), onSuccess: onDone });
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    login.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {login.isError && <Failure error={login.error} refused={t('wrong')} />}
        <TextInput label={t('email')} type="email" autoComplete="username" required value={email} onChange={(event) => setEmail(event.currentTarget.value)} />
        <PasswordInput label={t('password')} autoComplete="current-password" required value={password} onChange={(event) => setPassword(event.currentTarget.value)} />
        <Button type="submit" size="md" loading={login.isPending}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}

/** `refused`: what to say when the server answered that these do not count. */
function Failure({ error, refused }: { error: Error; refused: string }) {
  const { t } = useTranslation('signIn');
  const { title, detail } = useErrorText(error);
  const status = error instanceof ApiError ? error.status : 0;
  const text = status === 429 ? t('throttled') : [401, 403, 404, 422].includes(status) ? refused : `${title}. ${detail}`;
  return (
    <Alert color="red" role="alert">
      {text}
    </Alert>
  );
}
