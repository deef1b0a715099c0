import type { ReactNode } from 'react';
import { Outlet, Route, Routes } from 'react-router';

import { dataset } from './samples';

/** A view of a dataset, within the dataset that is its context. */
export function WithinDataset({ children, value = dataset }: { children: ReactNode; value?: typeof dataset }) {
  return (
    <Routes>
      <Route element={<Outlet context={{ value, etag: '"e"' }} />}>
        <Route path="*" element={children} />
      </Route>
    </Routes>
  );
}
