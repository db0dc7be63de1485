import assert from 'node:assert/strict';
import sinon from 'sinon';
import { drawWith } from '../../../webview/frames';
import { PacedText } from '../../../webview/pacedText';

const FRAME_MS = 16;

describe('text that is drawn at a pace', () => {
  let clock: sinon.SinonFakeTimers;
  /** What was drawn, frame by frame. */
  let frames: [text: string, isFinished: boolean][][];
  /** What drawing takes each time, and what it took so far, while nothing else passes. */
  let costMs: number;
  let spentMs: number;
  let startMs = 50_000_000;
  let paced: PacedText;

  beforeEach(() => {
    // Later than any rest that an earlier test left.
    startMs += 1_000_000;
    clock = sinon.useFakeTimers({ now: startMs, toFake: ['setTimeout', 'clearTimeout'] });
    frames = [[]];
    costMs = spentMs = 0;
    performance.now = () => clock.now + spentMs;
    Object.assign(globalThis, {
      document: { hidden: false },
      requestAnimationFrame: (callback: () => void) =>
        setTimeout(() => {
          frames.push([]);
          callback();
        }, FRAME_MS),
      cancelAnimationFrame: (id: NodeJS.Timeout) => clearTimeout(id),
    });
    drawWith(() => undefined);
    paced = new PacedText((text, isFinished) => {
      frames.at(-1)?.push([text, isFinished]);
      spentMs += costMs;
    });
  });

  afterEach(() => {
    clock.runAll();
    clock.restore();
    Reflect.deleteProperty(performance, 'now');
    for (const name of ['document', 'requestAnimationFrame', 'cancelAnimationFrame']) {
      Reflect.deleteProperty(globalThis, name);
    }
  });

  const text = 'Some words of a reply. '.repeat(500);
  const drawn = () => frames.flat();

  it('is all there at once where a reply is opened', () => {
    paced.update(text, true);
    assert.deepEqual(drawn(), [[text, true]]);
  });

  it('is drawn by one piece a frame where drawing takes long, however much has come', () => {
    costMs = 20;
    paced.update('', false);
    paced.update(text, false);
    clock.runAll();
    assert.ok(frames.length > 6);
    for (const frame of frames.slice(1)) assert.ok(frame.length <= 1, String(frame.length));
    let before = 0;
    for (const [part] of drawn()) {
      const most = Math.max(1_001, (text.length - before) / 4 + 2);
      assert.ok(text.startsWith(part) && part.length - before <= most);
      before = part.length;
    }
    assert.deepEqual(drawn().at(-1), [text, false]);
  });

  it('is drawn in one frame where that takes no time', () => {
    paced.update('', false);
    paced.update(text, false);
    assert.equal(frames.length, 1);
    assert.deepEqual(drawn().at(-1), [text, false]);
  });

  it('is all there with the end of the reply', () => {
    costMs = 20;
    paced.update('', false);
    paced.update(text, false);
    clock.tick(FRAME_MS);
    paced.update(`${text}${text}`, true);
    assert.deepEqual(drawn().at(-1), [`${text}${text}`, true]);
    const count = drawn().length;
    clock.runAll();
    assert.deepEqual(drawn().slice(count), []);
  });

  it('falls behind by a few frames at most where much comes and drawing takes long', () => {
    costMs = 20;
    paced.update('', false);
    let all = '';
    for (let step = 0; step < 200; step++) {
      all += 'x'.repeat(5_000);
      paced.update(all, false);
      clock.tick(100);
      assert.ok(all.length - (drawn().at(-1)?.[0].length ?? 0) < 25_000);
    }
  });

  it('leaves the rest between frames that it would have otherwise', () => {
    costMs = 20;
    paced.update('', false);
    paced.update(text, false);
    clock.tick(FRAME_MS);
    const count = drawn().length;
    clock.tick(55);
    assert.equal(drawn().length, count);
    clock.tick(FRAME_MS + 10);
    assert.equal(drawn().length, count + 1);
  });

  it('cuts no character in two, and shows another text from its beginning', () => {
    costMs = 20;
    paced.update('', false);
    paced.update('😀'.repeat(2_001).slice(1) + '😀'.repeat(2_000), false);
    paced.update('x', false);
    clock.runAll();
    assert.deepEqual(drawn().at(-1), ['x', false]);
    paced.update('a' + '😀'.repeat(2_000), false);
    clock.runAll();
    for (const [part] of drawn().slice(3)) assert.doesNotThrow(() => encodeURIComponent(part));
  });
});
