import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { follow } from '~/api/events';

/** An EventSource that the test speaks through. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static all: Stream[] = [];
  readyState = 0;
  constructor(readonly url: string) {
    super();
    Stream.all.push(this);
  }
  close() {
    this.readyState = Stream.CLOSED;
  }
  say(event: string, data: unknown, lastEventId = '') {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data), lastEventId }));
  }
}

const listener = { onFigures: vi.fn(), onResults: vi.fn(), onDone: vi.fn(), onPoll: vi.fn() };
let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Stream);
  Stream.all = [];
  vi.clearAllMocks();
  stop = follow('/events', listener);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const stream = () => Stream.all.at(-1) as Stream;
const fail = (times: number) => Array.from({ length: times }, () => stream().dispatchEvent(new Event('error')));

test('progress comes at once, results in bunches', () => {
  stream().say('progress', { total: 2, passed: 1 });
  expect(listener.onFigures).toHaveBeenCalledWith({ total: 2, passed: 1 });
  stream().say('result', { case_id: 'a' });
  stream().say('result', { case_id: 'b' });
  expect(listener.onResults).not.toHaveBeenCalled();
  vi.advanceTimersByTime(250);
  expect(listener.onResults).toHaveBeenCalledExactlyOnceWith([{ case_id: 'a' }, { case_id: 'b' }]);
});

test('the end closes the stream, and nothing is lost', () => {
  stream().say('result', { case_id: 'a' });
  stream().say('done', {});
  expect(listener.onResults).toHaveBeenCalledWith([{ case_id: 'a' }]);
  expect(listener.onDone).toHaveBeenCalledOnce();
  expect(stream().readyState).toBe(Stream.CLOSED);
  vi.advanceTimersByTime(60_000);
  expect(listener.onPoll).not.toHaveBeenCalled();
});

test('a broken connection is left to the browser twice, then it polls every 3 s', () => {
  fail(2);
  expect(listener.onPoll).not.toHaveBeenCalled();
  fail(1);
  expect(listener.onPoll).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(9000);
  expect(listener.onPoll).toHaveBeenCalledTimes(4);
});

test('a stream that the server refuses is given up at once', () => {
  stream().readyState = Stream.CLOSED;
  fail(1);
  expect(listener.onPoll).toHaveBeenCalledTimes(1);
});

test('the stream is tried again where it broke off, and ends the polling when it opens', () => {
  stream().say('result', { case_id: 'a' }, '7');
  fail(3);
  vi.advanceTimersByTime(30_000);
  expect(Stream.all.map(({ url }) => url)).toEqual(['/events', '/events?last_event_id=7']);
  stream().dispatchEvent(new Event('open'));
  const polls = listener.onPoll.mock.calls.length;
  vi.advanceTimersByTime(60_000);
  expect(listener.onPoll).toHaveBeenCalledTimes(polls);
});

test('stopping stops everything', () => {
  fail(3);
  stop();
  vi.advanceTimersByTime(60_000);
  expect(listener.onPoll).toHaveBeenCalledTimes(1);
  expect(Stream.all).toHaveLength(1);
});
