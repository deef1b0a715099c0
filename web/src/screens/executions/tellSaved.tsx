import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from 'react-router';

/** Tells what was saved, with the way there. */
export function useTellSaved(): (message: string, link: string, to: string) => void {
  const navigate = useNavigate();
  return (message, link, to) =>
    notifications.show({
      message: (
        <>
          {message}{' '}
          {/* A notification stands outside of the router, so it has no links of its own. */}
          <Anchor component="button" type="button" inherit onClick={() => void navigate(to)}>
            {link}
          </Anchor>
        </>
      ),
    });
}
