import { Navigate } from 'react-router';

/** The settings begin with one's own. */
export default function ToProfile() {
  return <Navigate to="/settings/profile" replace />;
}
